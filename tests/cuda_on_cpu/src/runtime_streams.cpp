// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events. PTXRUN_LAZY: work waits in the queue of its stream until
// something waits for that stream; else it is done at once.
#include "runtime.hpp"
#include <chrono>
#include <deque>

namespace {

struct Work {
  u64 number;  // in the order of the calls
  std::function<void()> run;
};
struct Stream {  // never deleted, so that uses of destroyed streams are found
  bool blocking  = true;  // with the default stream
  bool destroyed = false;
  int device     = 0;
  std::deque<Work> queue;
};
struct Event {
  int device = current_device;
  std::chrono::steady_clock::time_point at;
  Stream *stream = nullptr;
  u64 number     = 0;  // of the last work before it
};

u64 submitted = 0;
// Each device has two from the beginning: its default one, and the one of
// threads.
std::vector<Stream *> &streams() {
  static auto *all = [] {
    auto *s = new std::vector<Stream *>;
    for (int d = 0; d < settings.devices; ++d)
      for (int k = 0; k < 2; ++k) {
        s->push_back(new Stream);
        s->back()->device = d;
      }
    return s;
  }();
  return *all;
}
Stream &default_stream(int device) { return *streams()[2 * device]; }

Stream *find(cudaStream_t s) {
  if (reinterpret_cast<u64>(s) <= 2)
    return streams()[2 * current_device + (s == cudaStreamPerThread)];
  auto *found = reinterpret_cast<Stream *>(s);
  if (!found->destroyed) return found;
  fprintf(stderr, "ptxrun: ERROR: use of a stream after its destruction\n");
  if (!settings.keep_going) abort();
  return nullptr;
}

// Work of the default stream of a device comes after all that blocking streams
// of the device got before it, and theirs after all that it got before.
void run_until(Stream &s, u64 number) {
  while (!s.queue.empty() && s.queue.front().number <= number) {
    Work work = std::move(s.queue.front());
    s.queue.pop_front();
    Stream &first = default_stream(s.device);
    if (&s == &first) {
      for (size_t k = 0; k < streams().size(); ++k) {
        Stream &other = *streams()[k];
        if (&other != &s && other.blocking && other.device == s.device)
          run_until(other, work.number);
      }
    } else if (s.blocking)
      run_until(first, work.number);
    if (sticky == cudaSuccess) work.run();
  }
}

cudaError_t finish(const Event &e) {
  std::lock_guard lock(tables().mutex);
  if (e.stream) run_until(*e.stream, e.number);
  return sticky;
}

}  // namespace

namespace ptxrun::runtime {

cudaError_t submit(cudaStream_t s, std::function<void()> work) {
  Stream *stream = find(s);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  if (sticky != cudaSuccess) return give(sticky);
  if (settings.lazy) {
    std::lock_guard lock(tables().mutex);
    stream->queue.push_back({++submitted, std::move(work)});
  } else
    work();
  return sticky == cudaSuccess ? sticky : give(sticky);
}

cudaError_t finish(cudaStream_t s) {
  std::lock_guard lock(tables().mutex);
  // the default stream waits for the blocking ones
  if (cudaError_t e = submit(s, [] {})) return e;
  run_until(*find(s), submitted);
  fflush(stdout);
  return sticky;
}

cudaError_t finish_device(int device) {
  std::lock_guard lock(tables().mutex);
  for (size_t k = 0; k < streams().size(); ++k)
    if (streams()[k]->device == device) run_until(*streams()[k], submitted);
  fflush(stdout);
  return sticky;
}

int device_of(cudaStream_t s) {
  Stream *stream = find(s);
  return stream ? stream->device : -1;
}

}  // namespace ptxrun::runtime

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *s) {
  return cudaStreamCreateWithFlags(s, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) {
  std::lock_guard lock(tables().mutex);
  auto *made     = new Stream;
  made->blocking = !(flags & cudaStreamNonBlocking);
  made->device   = current_device;
  streams().push_back(made);
  *s = reinterpret_cast<cudaStream_t>(made);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int) {
  return cudaStreamCreateWithFlags(s, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  Stream *stream = reinterpret_cast<u64>(s) > 2 ? find(s) : nullptr;
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  stream->destroyed = true;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) { return finish(s); }
cudaError_t cudaStreamQuery(cudaStream_t s) { return finish(s); }
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  return submit(s, [event = *reinterpret_cast<Event *>(e)] { finish(event); });
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int *p) {
  *p = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *f) {
  Stream *stream = find(s);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  *f = stream->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id) {
  *id = reinterpret_cast<u64>(s);
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t s, int *d) {
  *d = device_of(s);
  return *d >= 0 ? cudaSuccess : give(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *s) {
  *s = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f,
                                  void *d, unsigned) {
  return submit(s, [=] { f(s, cudaSuccess, d); });
}
cudaError_t cudaEventCreate(cudaEvent_t *e) {
  *e = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) {
  return cudaEventCreate(e);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete reinterpret_cast<Event *>(e);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  std::lock_guard lock(tables().mutex);
  Event &event = *reinterpret_cast<Event *>(e);
  int device   = device_of(s);
  if (device >= 0 && device != event.device)
    return wrong(cudaErrorInvalidResourceHandle,
                 strprintf("an event of device %d is recorded in a stream of "
                           "device %d",
                           event.device, device));
  cudaError_t error = submit(s, [] {});
  if (error == cudaSuccess)
    event = {event.device, std::chrono::steady_clock::now(), find(s),
             submitted};
  return error;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) {
  return cudaEventRecord(e, s);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return finish(*reinterpret_cast<Event *>(e));
}
cudaError_t cudaEventQuery(cudaEvent_t e) { return cudaEventSynchronize(e); }
cudaError_t cudaEventElapsedTime(float *t, cudaEvent_t a, cudaEvent_t b) {
  *t = std::chrono::duration<float, std::milli>(
           reinterpret_cast<Event *>(b)->at - reinterpret_cast<Event *>(a)->at)
           .count();
  return cudaSuccess;
}
}
