#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A descriptor that becomes readable when somebody says so: ends a wait in `poll` from another thread, or from the
/// handler of a signal.
///
/// Threads: immutable; use it from any thread.
final class WakePipe: Sendable {
  let reading: Int32
  let writing: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let result = pipe(&ends)
      for end in ends where result == 0 {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    #else
      let result = pipe2(&ends, O_CLOEXEC | O_NONBLOCK)
    #endif
    guard result == 0 else { throw .last("pipe", "to wake a thread") }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func wake() { Self.wake(writing) }

  /// All that a signal's handler may do. A pipe that is full wakes as well.
  static func wake(_ writing: Int32) {
    let before = errno
    var byte: UInt8 = 0
    _ = writeBytes(writing, &byte, 1)
    errno = before
  }
}

/// Waits until one of the descriptors has something to read, or nothing will ever come; which of them do. `milliseconds`
/// -1: as long as it takes. After a signal none does.
func waitToRead(_ descriptors: [Int32], milliseconds: Int32 = -1) -> [Bool] {
  var places = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  let count = poll(&places, nfds_t(places.count), milliseconds)
  return places.map { count > 0 && $0.revents != 0 }
}

#if !canImport(Darwin)
  // Hidden behind _GNU_SOURCE; glibc and musl both have it.
  @_silgen_name("pipe2") private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
#endif
