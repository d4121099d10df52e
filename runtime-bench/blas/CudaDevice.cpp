//===- runtime-bench/blas/CudaDevice.cpp - An NVIDIA GPU, found at run time ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/CudaDevice.h"
#include "runtime-bench/blas/Scalars.h"
#include <climits>
#include <dlfcn.h>

namespace busfare::blas {
namespace {

// Numbers of CUDA's headers.
constexpr int memcpyIn = 1, memcpyOut = 2, streamNonBlocking = 1, eventWithoutTiming = 2, hostAllocPortable = 1;
constexpr int memoryHost = 1, memoryDevice = 2, memoryManaged = 3;
constexpr int pointersToHost = 0, pointersToDevice = 1;

/// cudaPointerAttributes; newer ones are longer.
struct PointerAttributes {
  int type = 0, device = 0;
  void *devicePointer = nullptr, *hostPointer = nullptr;
  long more[32] = {};
};

using Any = const void *;
using Handle = void *;

/// The functions, by the names that the libraries have them under.
struct Libraries {
  int (*getDeviceCount)(int *);
  int (*setDevice)(int);
  int (*getDevice)(int *);
  int (*malloc)(void **, size_t);
  int (*free)(void *);
  int (*hostAlloc)(void **, size_t, unsigned);
  int (*freeHost)(void *);
  int (*memGetInfo)(size_t *, size_t *);
  int (*pointerGetAttributes)(PointerAttributes *, Any);
  int (*streamCreate)(Handle *, unsigned);
  int (*streamDestroy)(Handle);
  int (*streamSynchronize)(Handle);
  int (*streamWaitEvent)(Handle, Handle, unsigned);
  int (*eventCreate)(Handle *, unsigned);
  int (*eventDestroy)(Handle);
  int (*eventRecord)(Handle, Handle);
  int (*eventSynchronize)(Handle);
  int (*eventQuery)(Handle);
  int (*memcpy2d)(void *, size_t, Any, size_t, size_t, size_t, int, Handle);
  int (*getLastError)();
  int (*deviceName)(char *, int, int) = nullptr; ///< Of the driver's library.

  int (*create)(Handle *);
  int (*destroy)(Handle);
  int (*setStream)(Handle, Handle);
  int (*setPointerMode)(Handle, int);
  using Gemm = int (*)(Handle, int, int, int, int, int, Any, Any, int, Any, int, Any, void *, int);
  using Gemv = int (*)(Handle, int, int, int, Any, Any, int, Any, int, Any, void *, int);
  using Syrk = int (*)(Handle, int, int, int, int, Any, Any, int, Any, void *, int);
  using Trsm = int (*)(Handle, int, int, int, int, int, int, Any, Any, int, void *, int);
  using Axpy = int (*)(Handle, int, Any, Any, int, void *, int);
  using Dot = int (*)(Handle, int, Any, int, Any, int, void *);
  Gemm gemm[4];
  Gemv gemv[4];
  Syrk syrk[4];
  Trsm trsm[4];
  Axpy axpy[4];
  Dot dot[4], conjugatedDot[4];

  bool load(std::string &why);
};

void *firstOf(const std::string &name) {
  for (const char *version : {".13", ".12", ".11.0", ".11", ""})
    if (void *library = dlopen((name + version).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

bool Libraries::load(std::string &why) {
  void *runtime = firstOf("libcudart.so"), *blas = firstOf("libcublas.so");
  if (!runtime || !blas) {
    why = std::string(runtime ? "libcublas.so" : "libcudart.so") +
          " cannot be loaded: set LD_LIBRARY_PATH to where CUDA's libraries lie";
    return false;
  }
  auto find = [&](void *library, const std::string &name, auto &function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name.c_str()));
    if (!function && why.empty()) why = name + " is not in CUDA's libraries";
  };
  find(runtime, "cudaGetDeviceCount", getDeviceCount);
  find(runtime, "cudaSetDevice", setDevice);
  find(runtime, "cudaGetDevice", getDevice);
  find(runtime, "cudaMalloc", malloc);
  find(runtime, "cudaFree", free);
  find(runtime, "cudaHostAlloc", hostAlloc);
  find(runtime, "cudaFreeHost", freeHost);
  find(runtime, "cudaMemGetInfo", memGetInfo);
  find(runtime, "cudaPointerGetAttributes", pointerGetAttributes);
  find(runtime, "cudaStreamCreateWithFlags", streamCreate);
  find(runtime, "cudaStreamDestroy", streamDestroy);
  find(runtime, "cudaStreamSynchronize", streamSynchronize);
  find(runtime, "cudaStreamWaitEvent", streamWaitEvent);
  find(runtime, "cudaEventCreateWithFlags", eventCreate);
  find(runtime, "cudaEventDestroy", eventDestroy);
  find(runtime, "cudaEventRecord", eventRecord);
  find(runtime, "cudaEventSynchronize", eventSynchronize);
  find(runtime, "cudaEventQuery", eventQuery);
  find(runtime, "cudaMemcpy2DAsync", memcpy2d);
  find(runtime, "cudaGetLastError", getLastError);
  find(blas, "cublasCreate_v2", create);
  find(blas, "cublasDestroy_v2", destroy);
  find(blas, "cublasSetStream_v2", setStream);
  find(blas, "cublasSetPointerMode_v2", setPointerMode);
  for (int element = 0; element < 4; ++element) {
    const std::string prefix = std::string("cublas") + "SDCZ"[element];
    find(blas, prefix + "gemm_v2", gemm[element]);
    find(blas, prefix + "gemv_v2", gemv[element]);
    find(blas, prefix + "syrk_v2", syrk[element]);
    find(blas, prefix + "trsm_v2", trsm[element]);
    find(blas, prefix + "axpy_v2", axpy[element]);
    find(blas, prefix + (element < 2 ? "dot_v2" : "dotu_v2"), dot[element]);
    find(blas, prefix + (element < 2 ? "dot_v2" : "dotc_v2"), conjugatedDot[element]);
  }
  if (void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
    deviceName = reinterpret_cast<decltype(deviceName)>(dlsym(driver, "cuDeviceGetName"));
  return why.empty();
}

int operationOf(char trans) { return trans == 'N' ? 0 : trans == 'T' ? 1 : 2; }
int fillOf(char uplo) { return uplo == 'L' ? 0 : 1; }

/// The caller's current GPU is another one, perhaps: it is so again at the end of the scope.
class Current {
public:
  Current(const Libraries &cuda, int number) : cuda(cuda) {
    cuda.getDevice(&before);
    cuda.setDevice(number);
  }
  ~Current() { cuda.setDevice(before); }
  Current(const Current &) = delete;

private:
  const Libraries &cuda;
  int before = 0;
};

class CudaDevice final : public Device {
public:
  CudaDevice(Libraries libraries, int number) : cuda(libraries), number(number) {}
  ~CudaDevice() override;
  bool start(std::string &why);
  std::string name() const override { return deviceName; }
  void *allocate(size_t bytes) override;
  void release(void *memory) override { cuda.free(memory); }
  void *allocatePinned(size_t bytes) override;
  void releasePinned(void *memory) override { cuda.freeHost(memory); }
  size_t freeBytes() override;
  Where whereIs(const void *memory) override;
  void newCall() override;
  Event record(Queue queue) override;
  void wait(Queue queue, Event event) override;
  void wait(Event event) override;
  bool isDone(Event event) override;
  void copyIn(View device, View host, int64_t rows, int64_t columns, size_t elementBytes) override;
  void copyOut(View host, View device, int64_t rows, int64_t columns, size_t elementBytes) override;
  void run(const TileKernel &kernel) override;
  bool hasFailed() override { return status != Status::Ok; }
  Status finish() override;

private:
  void copy(View to, View from, int64_t rows, int64_t columns, size_t elementBytes, int direction, Queue queue);
  void check(int result) {
    if (result != 0 && status == Status::Ok) status = Status::DeviceError;
  }
  Handle newEvent();
  int launch(const TileKernel &kernel);
  Libraries cuda;
  int number, callersDevice = 0;
  std::string deviceName = "GPU";
  Handle streams[3] = {}, blas = nullptr;
  std::vector<Handle> events; ///< Kept from call to call.
  size_t usedEvents = 0;
  Status status = Status::Ok;
};

bool CudaDevice::start(std::string &why) {
  auto failed = [&](int result, const char *what) {
    if (result != 0) why = std::string(what) + ": error " + std::to_string(result);
    return result != 0;
  };
  int count = 0;
  if (cuda.getDeviceCount(&count) != 0 || count == 0) {
    why = "there is no GPU here that CUDA can use";
    return false;
  }
  if (number < 0 || number >= count) {
    why = "there is no GPU " + std::to_string(number) + ", of " + std::to_string(count);
    return false;
  }
  Current current(cuda, number);
  for (Handle &stream : streams)
    if (failed(cuda.streamCreate(&stream, streamNonBlocking), "cudaStreamCreate")) return false;
  if (failed(cuda.create(&blas), "cublasCreate") ||
      failed(cuda.setStream(blas, streams[int(Queue::Kernels)]), "cublasSetStream"))
    return false;
  char text[256] = {};
  if (cuda.deviceName && cuda.deviceName(text, sizeof text, number) == 0) deviceName = text;
  return true;
}

CudaDevice::~CudaDevice() {
  for (Handle event : events) cuda.eventDestroy(event);
  if (blas) cuda.destroy(blas);
  for (Handle stream : streams)
    if (stream) cuda.streamDestroy(stream);
}

void *CudaDevice::allocate(size_t bytes) {
  Current current(cuda, number);
  void *memory = nullptr;
  if (cuda.malloc(&memory, bytes) == 0) return memory;
  cuda.getLastError(); // it is answered here, and must not come up again later
  return nullptr;
}

void *CudaDevice::allocatePinned(size_t bytes) {
  Current current(cuda, number);
  void *memory = nullptr;
  if (cuda.hostAlloc(&memory, bytes, hostAllocPortable) == 0) return memory;
  cuda.getLastError();
  return nullptr;
}

size_t CudaDevice::freeBytes() {
  Current current(cuda, number);
  size_t free = 0, all = 0;
  return cuda.memGetInfo(&free, &all) == 0 ? free : 0;
}

Where CudaDevice::whereIs(const void *memory) {
  PointerAttributes attributes;
  if (cuda.pointerGetAttributes(&attributes, memory) != 0) {
    cuda.getLastError(); // older ones call host memory that they do not know an error
    return Where::Pageable;
  }
  // Managed memory moves to whoever touches it: kernels use it in place.
  return attributes.type == memoryDevice || attributes.type == memoryManaged ? Where::OnDevice
         : attributes.type == memoryHost                                     ? Where::Pinned
                                                                             : Where::Pageable;
}

Handle CudaDevice::newEvent() {
  if (usedEvents == events.size()) {
    Handle event = nullptr;
    check(cuda.eventCreate(&event, eventWithoutTiming));
    if (!event) return nullptr; // the call has failed, and nothing of it is waited for
    events.push_back(event);
  }
  return events[usedEvents++];
}

void CudaDevice::newCall() {
  usedEvents = 0;
  status = Status::Ok;
  check(cuda.getDevice(&callersDevice));
  check(cuda.setDevice(number));
  // Operands on the device may be results of what the program handed to its default stream.
  Handle before = newEvent();
  check(cuda.eventRecord(before, nullptr));
  for (Handle stream : streams) check(cuda.streamWaitEvent(stream, before, 0));
}

Event CudaDevice::record(Queue queue) {
  const Event event = Event(usedEvents);
  check(cuda.eventRecord(newEvent(), streams[int(queue)]));
  return event;
}

void CudaDevice::wait(Queue queue, Event event) {
  if (size_t(event) < events.size()) check(cuda.streamWaitEvent(streams[int(queue)], events[size_t(event)], 0));
}

void CudaDevice::wait(Event event) {
  if (size_t(event) < events.size()) check(cuda.eventSynchronize(events[size_t(event)]));
}

bool CudaDevice::isDone(Event event) {
  if (size_t(event) >= events.size() || cuda.eventQuery(events[size_t(event)]) == 0) return true;
  cuda.getLastError(); // "not ready" is no error of the program's, which may ask for its own
  return false;
}

/// Bytes from column to column; of a single one its own length, since no less is taken.
static size_t pitchOf(const View &view, int64_t rows, int64_t columns, size_t elementBytes) {
  return size_t(columns > 1 ? view.columnStride : rows) * elementBytes;
}

/// CUDA takes no pitch and no row of 2 GiB and more: those go column by column, and in pieces.
void CudaDevice::copy(View to, View from, int64_t rows, int64_t columns, size_t elementBytes, int direction,
                      Queue queue) {
  constexpr size_t most = size_t(1) << 30;
  const size_t toPitch = pitchOf(to, rows, columns, elementBytes),
               fromPitch = pitchOf(from, rows, columns, elementBytes);
  const size_t width = size_t(rows) * elementBytes;
  if (hasFailed()) return; // what it would copy may not be there
  if (toPitch <= most && fromPitch <= most)
    return check(
        cuda.memcpy2d(to.at, toPitch, from.at, fromPitch, width, size_t(columns), direction, streams[int(queue)]));
  for (int64_t j = 0; j < columns; ++j)
    for (size_t at = 0; at < width; at += most) {
      const size_t piece = std::min(most, width - at);
      check(cuda.memcpy2d(to.at + size_t(j) * toPitch + at, piece, from.at + size_t(j) * fromPitch + at, piece, piece,
                          1, direction, streams[int(queue)]));
    }
}

void CudaDevice::copyIn(View device, View host, int64_t rows, int64_t columns, size_t elementBytes) {
  copy(device, host, rows, columns, elementBytes, memcpyIn, Queue::In);
}

void CudaDevice::copyOut(View host, View device, int64_t rows, int64_t columns, size_t elementBytes) {
  copy(host, device, rows, columns, elementBytes, memcpyOut, Queue::Out);
}

int CudaDevice::launch(const TileKernel &kernel) {
  const int element = int(kernel.element), m = int(kernel.m), n = int(kernel.n), k = int(kernel.k);
  const StoredScalar alpha(kernel.alpha, kernel.element), beta(kernel.beta, kernel.element);
  const int transA = operationOf(kernel.transA), transB = operationOf(kernel.transB), uplo = fillOf(kernel.uplo);
  // An operand that is not read has any place and any leading dimension.
  auto placeOf = [&](const View &view) { return view.at ? view.at : kernel.c.at; };
  const int64_t any = std::max({kernel.m, kernel.n, kernel.k, int64_t(1)});
  auto leading = [&](const View &view) { return int(view.at ? std::max<int64_t>(1, view.columnStride) : any); };
  auto vectorOf = [&](const View &view, int64_t count) {
    return view.rowStride < 0 ? view.at + view.rowStride * (count - 1) * int64_t(bytesOf(kernel.element)) : view.at;
  };
  auto stepOf = [](const View &view) { return int(view.rowStride); };
  switch (kernel.work) {
  case BlasKind::Axpy:
    return cuda.axpy[element](blas, n, alpha.at(), vectorOf(kernel.a, n), stepOf(kernel.a), vectorOf(kernel.c, n),
                              stepOf(kernel.c));
  case BlasKind::Dot: {
    // The sum stays on the device: waiting for each would stop the copies.
    if (int result = cuda.setPointerMode(blas, pointersToDevice)) return result;
    const int result = (kernel.conjugates ? cuda.conjugatedDot : cuda.dot)[element](
        blas, n, vectorOf(kernel.a, n), stepOf(kernel.a), vectorOf(kernel.c, n), stepOf(kernel.c), kernel.sum);
    const int back = cuda.setPointerMode(blas, pointersToHost);
    return result ? result : back;
  }
  case BlasKind::Gemv: {
    const bool isPlain = kernel.transA == 'N';
    return cuda.gemv[element](blas, transA, m, n, alpha.at(), kernel.a.at, leading(kernel.a),
                              vectorOf(kernel.b, isPlain ? n : m), stepOf(kernel.b), beta.at(),
                              vectorOf(kernel.c, isPlain ? m : n), stepOf(kernel.c));
  }
  case BlasKind::Gemm:
    return cuda.gemm[element](blas, transA, transB, m, n, k, alpha.at(), placeOf(kernel.a), leading(kernel.a),
                              placeOf(kernel.b), leading(kernel.b), beta.at(), kernel.c.at, leading(kernel.c));
  case BlasKind::Syrk:
    return cuda.syrk[element](blas, uplo, transA, n, k, alpha.at(), placeOf(kernel.a), leading(kernel.a), beta.at(),
                              kernel.c.at, leading(kernel.c));
  case BlasKind::Trsm:
    return cuda.trsm[element](blas, kernel.side == 'L' ? 0 : 1, uplo, transA, kernel.diag == 'N' ? 0 : 1, m, n,
                              alpha.at(), kernel.a.at, leading(kernel.a), kernel.c.at, leading(kernel.c));
  }
  return 0;
}

void CudaDevice::run(const TileKernel &kernel) {
  for (int64_t each : {kernel.m, kernel.n, kernel.k, kernel.a.columnStride, kernel.b.columnStride,
                       kernel.c.columnStride, kernel.a.rowStride, kernel.b.rowStride, kernel.c.rowStride})
    if (each > INT_MAX || each < -INT_MAX) {
      status = Status::InvalidArgument; // of an operand on the device, which is used where it is
      return;
    }
  if (status == Status::Ok) check(launch(kernel));
}

Status CudaDevice::finish() {
  for (Handle stream : streams) check(cuda.streamSynchronize(stream));
  if (status != Status::Ok) cuda.getLastError();
  cuda.setDevice(callersDevice);
  return status;
}

} // namespace

std::unique_ptr<Device> cudaDevice(int number, std::string &why) {
  Libraries libraries;
  if (!libraries.load(why)) return nullptr;
  auto device = std::make_unique<CudaDevice>(libraries, number);
  if (!device->start(why)) return nullptr;
  return device;
}

} // namespace busfare::blas
