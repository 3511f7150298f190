import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where the handler of a signal writes, and which signal came last: it can hold nothing of its own.
private let interruptEnd = Atomic<Int32>(-1)
private let lastSignal = Atomic<Int32>(0)

/// Interrupts (Ctrl-C) and requests to end, which are told to whoever asked in place of ending the process.
///
/// The first one is told; the next one ends the process as ever.
///
/// Threads: one of these at a time in a process.
package final class Interrupts: Sendable {
  private static let signals = [SIGINT, SIGTERM]

  private let pipe: WakePipe

  /// `body` is called on a thread of its own, and at the latest when this goes.
  package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    pipe = try WakePipe()
    interruptEnd.store(pipe.writing, ordering: .sequentiallyConsistent)
    for number in Self.signals {
      _ = signal(number) { number in
        lastSignal.store(number, ordering: .sequentiallyConsistent)
        WakePipe.wake(interruptEnd.load(ordering: .sequentiallyConsistent))
        _ = signal(number, SIG_DFL)
      }
    }
    startThread { [pipe] in
      while !waitToRead([pipe.reading])[0] {}
      body()
    }
  }

  deinit {
    for number in Self.signals { _ = signal(number, SIG_DFL) }
    interruptEnd.store(-1, ordering: .sequentiallyConsistent)
    pipe.wake()
  }

  /// Whether it was a request to end that came, not an interrupt.
  package var isTermination: Bool { lastSignal.load(ordering: .sequentiallyConsistent) == SIGTERM }
}
