// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events. PTXRUN_LAZY: work waits in the queue of its stream until
// something waits for that stream; else it is done at once.
#include "runtime_common.hpp"
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

Stream *find(API(Stream_t) s) {
  if (reinterpret_cast<u64>(s) <= 2)
    return streams()[2 * current_device + (s == API(StreamPerThread))];
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
    if (sticky == API(Success)) work.run();
  }
}

API(Error_t) finish(const Event &e) {
  std::lock_guard lock(calls());
  if (e.stream) run_until(*e.stream, e.number);
  return sticky;
}

}  // namespace

namespace on_cpu::runtime {

API(Error_t) submit(API(Stream_t) s, std::function<void()> work) {
  Stream *stream = find(s);
  if (!stream) return give(API(ErrorInvalidResourceHandle));
  if (sticky != API(Success)) return give(sticky);
  if (settings.lazy) {
    std::lock_guard lock(calls());
    stream->queue.push_back({++submitted, std::move(work)});
  } else
    work();
  return sticky == API(Success) ? sticky : give(sticky);
}

API(Error_t) finish(API(Stream_t) s) {
  std::lock_guard lock(calls());
  // the default stream waits for the blocking ones
  if (API(Error_t) e = submit(s, [] {})) return e;
  run_until(*find(s), submitted);
  fflush(stdout);
  return sticky;
}

API(Error_t) finish_device(int device) {
  std::lock_guard lock(calls());
  for (size_t k = 0; k < streams().size(); ++k)
    if (streams()[k]->device == device) run_until(*streams()[k], submitted);
  fflush(stdout);
  return sticky;
}

int device_of(API(Stream_t) s) {
  Stream *stream = find(s);
  return stream ? stream->device : -1;
}

}  // namespace on_cpu::runtime

extern "C" {

API(Error_t) API(StreamCreate)(API(Stream_t) * s) {
  return API(StreamCreateWithFlags)(s, API(StreamDefault));
}
API(Error_t) API(StreamCreateWithFlags)(API(Stream_t) * s, unsigned flags) {
  std::lock_guard lock(calls());
  auto *made     = new Stream;
  made->blocking = !(flags & API(StreamNonBlocking));
  made->device   = current_device;
  streams().push_back(made);
  *s = reinterpret_cast<API(Stream_t)>(made);
  return API(Success);
}
API(Error_t)
API(StreamCreateWithPriority)(API(Stream_t) * s, unsigned flags, int) {
  return API(StreamCreateWithFlags)(s, flags);
}
API(Error_t) API(StreamDestroy)(API(Stream_t) s) {
  Stream *stream = reinterpret_cast<u64>(s) > 2 ? find(s) : nullptr;
  if (!stream) return give(API(ErrorInvalidResourceHandle));
  stream->destroyed = true;
  return API(Success);
}
API(Error_t) API(StreamSynchronize)(API(Stream_t) s) { return finish(s); }
API(Error_t) API(StreamQuery)(API(Stream_t) s) { return finish(s); }
API(Error_t) API(StreamWaitEvent)(API(Stream_t) s, API(Event_t) e, unsigned) {
  return submit(s, [event = *reinterpret_cast<Event *>(e)] { finish(event); });
}
API(Error_t) API(StreamGetPriority)(API(Stream_t), int *p) {
  *p = 0;
  return API(Success);
}
API(Error_t) API(StreamGetFlags)(API(Stream_t) s, unsigned *f) {
  Stream *stream = find(s);
  if (!stream) return give(API(ErrorInvalidResourceHandle));
  *f = stream->blocking ? API(StreamDefault) : API(StreamNonBlocking);
  return API(Success);
}
API(Error_t) API(StreamGetId)(API(Stream_t) s, unsigned long long *id) {
  *id = reinterpret_cast<u64>(s);
  return API(Success);
}
API(Error_t) API(StreamGetDevice)(API(Stream_t) s, int *d) {
  *d = device_of(s);
  return *d >= 0 ? API(Success) : give(API(ErrorInvalidResourceHandle));
}
API(Error_t)
API(StreamIsCapturing)(API(Stream_t), API(StreamCaptureStatus) * s) {
  *s = API(StreamCaptureStatusNone);
  return API(Success);
}
API(Error_t)
API(StreamAddCallback)
(API(Stream_t) s, API(StreamCallback_t) f, void *d, unsigned) {
  return submit(s, [=] { f(s, API(Success), d); });
}
API(Error_t) API(EventCreate)(API(Event_t) * e) {
  *e = reinterpret_cast<API(Event_t)>(new Event);
  return API(Success);
}
API(Error_t) API(EventCreateWithFlags)(API(Event_t) * e, unsigned) {
  return API(EventCreate)(e);
}
API(Error_t) API(EventDestroy)(API(Event_t) e) {
  delete reinterpret_cast<Event *>(e);
  return API(Success);
}
API(Error_t) API(EventRecord)(API(Event_t) e, API(Stream_t) s) {
  std::lock_guard lock(calls());
  Event &event = *reinterpret_cast<Event *>(e);
  int device   = device_of(s);
  if (device >= 0 && device != event.device)
    return wrong(API(ErrorInvalidResourceHandle),
                 strprintf("an event of device %d is recorded in a stream of "
                           "device %d",
                           event.device, device));
  API(Error_t) error = submit(s, [] {});
  if (error == API(Success))
    event = {event.device, std::chrono::steady_clock::now(), find(s),
             submitted};
  return error;
}
API(Error_t)
API(EventRecordWithFlags)(API(Event_t) e, API(Stream_t) s, unsigned) {
  return API(EventRecord)(e, s);
}
API(Error_t) API(EventSynchronize)(API(Event_t) e) {
  return finish(*reinterpret_cast<Event *>(e));
}
API(Error_t) API(EventQuery)(API(Event_t) e) {
  return API(EventSynchronize)(e);
}
API(Error_t) API(EventElapsedTime)(float *t, API(Event_t) a, API(Event_t) b) {
  *t = std::chrono::duration<float, std::milli>(
           reinterpret_cast<Event *>(b)->at - reinterpret_cast<Event *>(a)->at)
           .count();
  return API(Success);
}
}
