#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs `body` on a thread of its own. For blocking work only: waiting in the kernel must hold neither a Dispatch
/// thread nor one of the cooperative pool, of which there are as many as cores.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  // No thread to be had: late is better than never, and the caller expects a thread that may block.
  if !startThreadIfPossible(body) { body() }
}

/// The same, but answers false where there is no thread to be had: for work that never ends by itself.
package func startThreadIfPossible(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = Unmanaged.passRetained(Box(body)).toOpaque()
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
    let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { pointer in
      Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
      return nil
    }
  #else
    var thread = pthread_t()
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
      Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue().body()
      return nil
    }
  #endif
  let isStarted = pthread_create(&thread, &attributes, run, box) == 0
  if !isStarted { Unmanaged<Box>.fromOpaque(box).release() }
  pthread_attr_destroy(&attributes)
  return isStarted
}
