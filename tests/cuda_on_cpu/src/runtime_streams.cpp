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
  std::deque<Work> queue;
};
struct Event {
  std::chrono::steady_clock::time_point at;
  Stream *stream = nullptr;
  u64 number     = 0;  // of the last work before it
};

u64 submitted = 0;
std::vector<Stream *> &streams() {  // the default one is the first
  static auto *s = new std::vector<Stream *>{new Stream, new Stream};
  return *s;
}

Stream *find(cudaStream_t s) {
  if (reinterpret_cast<u64>(s) <= 2) return streams()[s == cudaStreamPerThread];
  auto *found = reinterpret_cast<Stream *>(s);
  if (!found->destroyed) return found;
  fprintf(stderr, "ptxrun: ERROR: use of a stream after its destruction\n");
  if (!settings.keep_going) abort();
  return nullptr;
}

// Work of the default stream comes after all that blocking streams got before
// it, and theirs after all that it got before.
void run_until(Stream &s, u64 number) {
  while (!s.queue.empty() && s.queue.front().number <= number) {
    Work work = std::move(s.queue.front());
    s.queue.pop_front();
    Stream &first = *streams()[0];
    if (&s == &first) {
      for (size_t k = 1; k < streams().size(); ++k)
        if (streams()[k]->blocking) run_until(*streams()[k], work.number);
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

cudaError_t finish_all() {
  std::lock_guard lock(tables().mutex);
  for (size_t k = 0; k < streams().size(); ++k)
    run_until(*streams()[k], submitted);
  fflush(stdout);
  return sticky;
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
cudaError_t cudaStreamGetDevice(cudaStream_t, int *d) {
  *d = 0;
  return cudaSuccess;
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
  cudaError_t error = submit(s, [] {});
  if (error == cudaSuccess)
    *reinterpret_cast<Event *>(e) = {std::chrono::steady_clock::now(), find(s),
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
