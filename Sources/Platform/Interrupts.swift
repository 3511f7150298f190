import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The descriptor that the signal handler writes to, and the last signal: a signal handler can't capture values.
private let interruptEnd = Atomic<Int32>(-1)
private let lastSignal = Atomic<Int32>(0)

/// Interrupts (Ctrl-C) and requests to end the process. They are reported to the caller instead of ending the process.
///
/// The first one is reported; the next one ends the process as usual. A signal that is ignored stays ignored.
///
/// Threads: one instance at a time in a process.
package final class Interrupts: Sendable {
  private let signals: [Int32]
  private let pipe: WakePipe

  /// - Parameters:
  ///   - hangingUp: also report the closing of the terminal.
  ///   - body: called on another thread, at the latest when this is released.
  package init(hangingUp: Bool = false, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    signals = ([SIGINT, SIGTERM] + (hangingUp ? [SIGHUP] : [])).filter { !Self.isIgnored($0) }
    pipe = try WakePipe()
    interruptEnd.store(pipe.writing, ordering: .sequentiallyConsistent)
    for number in signals {
      _ = signal(number) { number in
        lastSignal.store(number, ordering: .sequentiallyConsistent)
        WakePipe.wake(interruptEnd.load(ordering: .sequentiallyConsistent))
        _ = signal(number, SIG_DFL)
      }
    }
    let isStarted = startThreadIfPossible { [pipe] in
      while !waitToRead([pipe.reading])[0] {}
      body()
    }
    guard isStarted else { throw SystemError(code: EAGAIN, call: "pthread_create", path: "for interrupts") }
  }

  deinit {
    for number in signals { _ = signal(number, SIG_DFL) }
    interruptEnd.store(-1, ordering: .sequentiallyConsistent)
    pipe.wake()
  }

  /// Whether a signal is ignored, as by `nohup`, or by a shell for its background processes.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return handlerBits(of: action) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process as the last signal would have.
  static func endProcess() {
    let number = lastSignal.load(ordering: .sequentiallyConsistent)
    _ = signal(number, SIG_DFL)
    kill(getpid(), number)
    pause(microseconds: 1_000_000)
    HostProcess.exitNow(128 + number)
  }

  /// Whether the last signal was a request to end, not an interrupt.
  package var isTermination: Bool { lastSignal.load(ordering: .sequentiallyConsistent) == SIGTERM }
}

private func handlerBits(of action: sigaction) -> Int {
  #if canImport(Darwin)
    unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
  #elseif canImport(Musl)
    unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
  #else
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  #endif
}
