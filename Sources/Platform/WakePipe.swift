#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A descriptor that becomes readable on request: it ends a wait in `poll` from another thread, or from a signal
/// handler.
///
/// Threads: immutable; safe to use from any.
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

  /// Wakes the reader with a byte. A signal handler may call this. A pipe that is full wakes as well.
  static func wake(_ writing: Int32, _ byte: UInt8 = 0) {
    let before = errno
    var byte = byte
    _ = writeBytes(writing, &byte, 1)
    errno = before
  }
}

/// Waits until one of the descriptors has bytes to read, or is at its end; returns true for each such descriptor.
/// `milliseconds`: -1 for no limit. After a signal all are false.
func waitToRead(_ descriptors: [Int32], milliseconds: Int32 = -1) -> [Bool] {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  let count = poll(&polled, nfds_t(polled.count), milliseconds)
  return polled.map { count > 0 && $0.revents != 0 }
}

/// Waits until a descriptor can be read or written, by its events, or has failed. A signal ends the wait.
func waitToUse(_ descriptor: Int32, _ events: Int16) {
  var polled = pollfd(fd: descriptor, events: events, revents: 0)
  poll(&polled, 1, -1)
}

#if !canImport(Darwin)
  // Hidden behind _GNU_SOURCE; glibc and musl both have it.
  @_silgen_name("pipe2") private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
#endif
