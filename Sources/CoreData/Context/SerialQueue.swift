import Dispatch
import Foundation
import Synchronization

/// A queue that runs one block at a time, first in, first out. A block may wait for another block of the same queue.
///
/// A thread holds a queue while it runs a block of the queue. A thread that holds queues and waits for another one
/// lends them: the block that it waits for may use them. A cycle of threads that wait for each other would be a
/// deadlock. If one of them only borrows a queue, as a child context does when it reads its parent, the thread that
/// holds this queue runs the borrower's block while it waits. That thread is in a blocking call then: its own block is
/// interrupted only there.
// Sendable: `isBusy`, `holder` and `entries` are used under `lock` only.
final class SerialQueue: @unchecked Sendable {
  /// Guards the holders of all queues, and the waits of all threads.
  fileprivate static let lock = Mutex(())

  /// The process's main queue, which Dispatch runs.
  static let main = SerialQueue(DispatchQueue.main)

  private enum Entry {
    case block(@Sendable () -> Void)
    case wait(QueueWait)
  }

  /// Runs the blocks that no thread waits for.
  private let dispatch: DispatchQueue
  private var isBusy = false
  private var entries = FIFO<Entry>()
  /// The thread that holds the queue. The holder of the main queue is known only while it waits.
  fileprivate var holder: QueueThread?

  convenience init(label: String) { self.init(DispatchQueue(label: label)) }

  private init(_ dispatch: DispatchQueue) { self.dispatch = dispatch }

  /// Whether the caller holds the queue.
  var isCurrent: Bool { (self === Self.main && Self.isMain) || QueueThread.current.held.contains { $0 === self } }

  /// Whether the caller holds the main queue. The main thread may run code that no queue called. In a program without a
  /// main run loop, for example with an asynchronous `main`, any thread may run the main queue.
  private static var isMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true }

  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  // MARK: Adding blocks

  /// Runs a block later.
  func async(_ block: @escaping @Sendable () -> Void) {
    if self === Self.main { return dispatch.async { QueueThread.current.holding([self], block) } }
    let isFirst = Self.lock.withLock { _ in
      defer { isBusy = true }
      if isBusy { entries.append(.block(block)) }
      return !isBusy
    }
    if isFirst { dispatch.async { [self] in drain(from: block) } }
  }

  /// Runs a block, at once if the caller holds the queue, and waits for it.
  func sync<Result, Failure>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
    try run(isBorrowing: false, block)
  }

  /// Like ``sync(_:)``, for a block that needs the queue only for a moment: a thread that holds the queue, and waits
  /// for the caller, runs the block while it waits.
  func borrow<Result, Failure>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
    try run(isBorrowing: true, block)
  }

  // MARK: Holding the queue

  private func run<Value, Failure>(
    isBorrowing: Bool, _ block: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isCurrent { return try block() }
    return try BlockResult.of(block) { enter(QueueThread.current, isBorrowing, $0) }
  }

  /// Returns when the body has run, on this thread or on one that lent the queue.
  private func enter(_ thread: QueueThread, _ isBorrowing: Bool, _ body: @escaping () -> Void) {
    let lent = thread.held + (Self.isMain ? [Self.main, self] : [self])
    let wait = QueueWait(thread, self, isBorrowing) { QueueThread.current.holding(lent, body) }
    let isGranted = Self.lock.withLock { _ in
      if self !== Self.main {
        if !isBusy {
          (isBusy, holder) = (true, thread)
          return true
        }
        entries.append(.wait(wait))
      }
      thread.begin(wait, isMain: Self.isMain)
      return false
    }
    if isGranted {
      wait.runBody()
      return leave()
    }
    if self === Self.main { dispatch.async { wait.runIfWaiting() } }
    thread.run(until: wait, isMain: Self.isMain)
    if wait.state == .granted {
      wait.runBody()
      leave()
    }
  }

  private func leave() {
    if let block = Self.lock.withLock({ _ in next() }) { dispatch.async { [self] in drain(from: block) } }
  }

  /// Runs blocks until the next entry is a thread's wait, or no entry is left.
  private func drain(from block: @escaping @Sendable () -> Void) {
    let thread = QueueThread.current
    var present: (@Sendable () -> Void)? = block
    while let block = present {
      Self.lock.withLock { _ in holder = thread }
      thread.holding([self], block)
      present = Self.lock.withLock { _ in next() }
    }
  }

  /// Gives the queue to the next thread that waits; returns the block if the next entry is a block. Requires the lock.
  private func next() -> (@Sendable () -> Void)? {
    holder = nil
    while let entry = entries.popFirst() {
      switch entry {
      case .block(let block): return block
      case .wait(let wait):
        // A thread that lent the queue has run it already.
        guard wait.state == .waiting else { continue }
        wait.state = .granted
        holder = wait.thread
        wait.thread.wake.signal()
        return nil
      }
    }
    isBusy = false
    return nil
  }
}

/// The wait of a thread for a queue.
// Sendable: `state` is changed under the lock of all queues. Only one thread runs the body: the waiting thread when it
// holds the queue, or the thread that lends it.
private final class QueueWait: @unchecked Sendable {
  enum State { case waiting, granted, lent, done }

  let thread: QueueThread
  let queue: SerialQueue
  let isBorrowing: Bool
  private var body: (() -> Void)?
  var state = State.waiting

  init(_ thread: QueueThread, _ queue: SerialQueue, _ isBorrowing: Bool, _ body: @escaping () -> Void) {
    (self.thread, self.queue, self.isBorrowing, self.body) = (thread, queue, isBorrowing, body)
  }

  /// Called on the main queue. Runs the body there, unless a thread that held the main queue and waited has run it.
  func runIfWaiting() {
    let isWaiting = SerialQueue.lock.withLock { _ in
      defer { if state == .waiting { state = .lent } }
      return state == .waiting
    }
    if isWaiting { runLent() }
  }

  /// Runs the body, and releases it: the wait may outlive the call that waits for it, but the body must not.
  func runBody() {
    body?()
    body = nil
  }

  /// Runs the body on behalf of the thread that waits.
  func runLent() {
    runBody()
    SerialQueue.lock.withLock { _ in state = .done }
    thread.wake.signal()
  }
}

/// A thread that uses queues.
// Sendable: only the thread itself uses `held`; the rest is used under the lock of all queues.
private final class QueueThread: @unchecked Sendable {
  /// The queues that the thread holds, and those that are lent to it.
  private(set) var held: [SerialQueue] = []
  /// Makes the thread check the state of its wait, and the bodies that it has to run, again.
  let wake = DispatchSemaphore(value: 0)
  /// The innermost wait is the last one: a waiting thread may run the body of another thread, and that body may wait
  /// too.
  private var waits: [QueueWait] = []
  /// Waits of other threads for queues that this thread holds. This thread runs their bodies.
  private var lending: [QueueWait] = []

  private static let key = "org.localcloudkit.queues"

  static var current: QueueThread {
    let dictionary = Thread.current.threadDictionary
    if let thread = dictionary[key] as? QueueThread { return thread }
    let thread = QueueThread()
    dictionary[key] = thread
    return thread
  }

  /// Runs a block while the thread holds some queues. Not a task-local value: a task that the block starts does not
  /// hold them.
  func holding(_ queues: [SerialQueue], _ block: () -> Void) {
    let outer = held
    held = outer + queues
    block()
    held = outer
  }

  // MARK: Waiting

  /// Records a wait, and breaks a cycle of waits if this one closes it. Requires the lock.
  func begin(_ wait: QueueWait, isMain: Bool) {
    waits.append(wait)
    if isMain { SerialQueue.main.holder = self }
    var cycle: [QueueThread] = [self]
    while let wait = cycle[cycle.count - 1].waits.last, let next = wait.queue.holder {
      if let start = cycle.firstIndex(where: { $0 === next }) {
        return Self.breakCycle(Array(cycle[start...]))
      }
      cycle.append(next)
    }
  }

  /// Breaks a cycle of waits. Each thread of the cycle waits for a queue of the next one.
  private static func breakCycle(_ cycle: [QueueThread]) {
    for (index, thread) in cycle.enumerated() {
      guard let wait = thread.waits.last, wait.isBorrowing, wait.state == .waiting else { continue }
      let lender = cycle[(index + 1) % cycle.count]
      wait.state = .lent
      lender.lending.append(wait)
      lender.wake.signal()
      return
    }
  }

  /// Runs the bodies of threads that borrow a queue from this thread, until the wait ends.
  func run(until wait: QueueWait, isMain: Bool) {
    while true {
      let (isOver, lent) = SerialQueue.lock.withLock { _ in
        let isOver = wait.state == .granted || wait.state == .done
        if isOver {
          waits.removeLast()
          if isMain, waits.isEmpty { SerialQueue.main.holder = nil }
        }
        return (isOver, isOver || lending.isEmpty ? nil : lending.removeFirst())
      }
      if isOver { return }
      if let lent { lent.runLent() } else { wake.wait() }
    }
  }
}

/// A value that its user passes from one queue to another.
///
/// The users obey a rule of Core Data that the compiler can't check: a context's objects are used on the context's
/// queue only.
// Sendable: by that rule.
struct UncheckedSendable<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// Elements that are removed in the order of their insertion.
private struct FIFO<Element> {
  private var elements: [Element?] = []
  private var first = 0

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    defer {
      elements[first] = nil
      first += 1
      if first * 2 > elements.count {
        elements.removeFirst(first)
        first = 0
      }
    }
    return elements[first]
  }
}
