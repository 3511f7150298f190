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
  if pthread_create(&thread, &attributes, run, box) != 0 {
    // No thread to be had: late is better than never, and the caller expects a thread that may block.
    Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
  }
  pthread_attr_destroy(&attributes)
}
