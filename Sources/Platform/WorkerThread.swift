import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs `body` on another thread. For blocking work that ends by itself: waiting for the disk must block neither a
/// Dispatch thread nor a thread of the cooperative pool, because that has only as many as there are cores.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  // If no thread can be started, `body` runs here: that delays the caller, but the work is done, and the caller's
  // thread may block.
  if !startThreadIfPossible(body) { body() }
}

/// Like ``startThread(_:)``, but returns false if no thread can be started: for work that may never end by itself.
package func startThreadIfPossible(_ body: @escaping @Sendable () -> Void) -> Bool {
  if let idle = WorkerThread.idle.withLock({ $0.take() }) {
    idle.job.change { $0 = body }
    return true
  }
  return WorkerThread.start(body)
}

/// A thread that waits a while for another job after its job: starting one costs as much as waiting for a lock.
private final class WorkerThread: Sendable {
  struct Idle {
    /// The threads that wait. The last one is used first, so that the others may end.
    fileprivate var threads: [WorkerThread] = []
    private var process = ProcessMark()

    /// A forked process has none of its parent's threads.
    mutating func take() -> WorkerThread? {
      if !process.isCurrent { self = Idle() }
      return threads.popLast()
    }
  }

  static let idle = Mutex(Idle())
  private static let idleSeconds = 1.0

  let job: ThreadCondition<(@Sendable () -> Void)?>

  private init(_ body: @escaping @Sendable () -> Void) { job = ThreadCondition(body) }

  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let this = Unmanaged.passRetained(WorkerThread(body)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
      let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { pointer in
        Unmanaged<WorkerThread>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }
    #else
      var thread = pthread_t()
      let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
        Unmanaged<WorkerThread>.fromOpaque(pointer!).takeRetainedValue().run()
        return nil
      }
    #endif
    let isStarted = pthread_create(&thread, &attributes, run, this) == 0
    if !isStarted { Unmanaged<WorkerThread>.fromOpaque(this).release() }
    pthread_attr_destroy(&attributes)
    return isStarted
  }

  private func run() {
    while let body = next() {
      body()
      Self.idle.withLock { $0.threads.append(self) }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    func take(_ seconds: Double) -> (@Sendable () -> Void)? {
      job.wait(seconds: seconds) { job in
        defer { job = nil }
        return job
      }
    }
    if let body = take(Self.idleSeconds) { return body }
    let isLeaving = Self.idle.withLock { idle in
      let count = idle.threads.count
      idle.threads.removeAll { $0 === self }
      return idle.threads.count < count
    }
    // Otherwise another thread is about to hand it a job.
    return isLeaving ? nil : take(.infinity)
  }
}
