import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stops the process for a mistake of the calling program.
package enum FatalStop {
  /// Prints `message` to standard error, and stops the process as `fatalError` does.
  ///
  /// Swift's backtrace may follow, with hundreds of lines. On Linux the message is printed once more after it, so that
  /// it is also the last line.
  package static func stop(_ message: String) -> Never {
    #if os(Linux)
      if LastLine.set(message) {
        LastLine.installHandler(SIGILL)
        LastLine.installHandler(SIGTRAP)
      }
    #endif
    // Not a precondition: optimized builds omit its message.
    fatalError(message)
  }
}

#if os(Linux)
  /// The line that is printed after the backtrace.
  ///
  /// A signal handler of Swift's runtime prints the backtrace. It then returns to the fault, so that the process dies.
  /// The handler here calls that one and then prints the line.
  private enum LastLine {
    /// Whether a thread has set the line. Others that stop at the same time keep its line.
    private static let isSet = Atomic(false)
    /// Written before the handlers are installed, and never again.
    nonisolated(unsafe) private static var bytes: UnsafeBufferPointer<UInt8>?
    nonisolated(unsafe) private static var illegal = sigaction()
    nonisolated(unsafe) private static var trap = sigaction()

    static func set(_ message: String) -> Bool {
      guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return false }
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: message.utf8.count + 1)
      _ = buffer.initialize(from: Array(message.utf8) + [UInt8(ascii: "\n")])
      bytes = UnsafeBufferPointer(buffer)
      return true
    }

    /// Prints the line after the output of the present handler of the signal. Without a handler, `fatalError` itself
    /// may print a backtrace before the signal.
    static func installHandler(_ signal: Int32) {
      var present = sigaction()
      guard sigaction(signal, nil, &present) == 0 else { return }
      if signal == SIGILL { illegal = present } else { trap = present }
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { signal, info, context in
        LastLine.handle(signal, info, context)
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      _ = sigaction(signal, &action, nil)
    }

    private static func handle(
      _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
      // The same fault follows when this returns, and ends the process then.
      signal(number, SIG_DFL)
      let present = number == SIGILL ? illegal : trap
      if present.sa_flags & SA_SIGINFO != 0 { present.__sigaction_handler.sa_sigaction?(number, info, context) }
      if let bytes { _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
  }
#endif
