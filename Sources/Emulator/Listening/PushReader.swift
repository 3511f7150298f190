import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// Takes the pushes of one container from a device's log, one after another, and hands each to all of this process's
/// listeners there.
///
/// While the reader takes pushes, it holds the cursor's lock. It moves the cursor after each push: if the process ends
/// before that, the next listener gets the push again.
package final class PushReader: Sendable {
  /// The properties that listeners must have in common to share a reader.
  private struct ReaderKey: Hashable {
    var root: String
    var device: String
    var userRecordName: String
    var container: String
    var environment: CloudEnvironment
    var isCoalesced: Bool

    init(_ session: Session) throws {
      let pushes = try session.service.pushes.pushLocation(of: session.caller)
      root = session.service.cloud.path
      (device, userRecordName) = (pushes.device, pushes.userRecordName)
      (container, environment) = (session.caller.container, session.caller.environment)
      isCoalesced = session.settings.pushes.value.isCoalesced
    }
  }

  private static let readers = Mutex<[ReaderKey: PushReader]>([:])

  /// How far a device's log was read. It has the pushes of all accounts of the device.
  private struct Position {
    /// The user for whom it was read last.
    var userRecordName: String
    /// The sequence of the push that was handled last; nil if none was. The cursor may still be before it.
    var handled: Int64?
    /// The sequence of the last push that the listeners were notified of, taken by this process or another one.
    var notified: Int64
  }

  private let key: ReaderKey
  private let listeners = PushListeners()
  private let loop: ListeningLoop
  /// Nil before the start.
  private let position = Mutex<Position?>(nil)

  private init(_ key: ReaderKey) {
    self.key = key
    // A failure is reported to all listeners.
    loop = ListeningLoop { [listeners] error in listeners.report(error) }
  }

  // MARK: Adding and removing listeners

  /// Adds a listener to the process's reader with the same properties; returns the reader and the listener's number.
  package static func join(_ listener: PushListeners.Listener) throws -> (reader: PushReader, number: Int) {
    let key = try ReaderKey(Session(listener.acting ?? ActingIdentity()))
    return try readers.withLock { readers in
      if let reader = readers[key] { return (reader, reader.listeners.add(listener)) }
      let reader = PushReader(key)
      let number = reader.listeners.add(listener)
      try reader.start(listener.acting)
      readers[key] = reader
      return (reader, number)
    }
  }

  /// Removes a listener: its handler is not called again.
  package func leave(_ number: Int) {
    Self.readers.withLock { readers in
      guard listeners.remove(number) else { return }
      loop.stop()
      if readers[key] === self { readers[key] = nil }
    }
  }

  /// Whether pushes to this user are handled: the reader belongs to the user, and its loop runs.
  func isListening(to userRecordName: String) -> Bool { key.userRecordName == userRecordName && loop.isRunning }

  /// Waits until the handlers of the present push have returned, unless the caller is one of them.
  package func finish() async { await loop.finish() }

  private func start(_ acting: ActingIdentity?) throws {
    let ended: @Sendable () -> Void = { [self] in removeFromReaders() }
    try loop.start(ended: ended) { [self] in
      let session = try Session(acting ?? ActingIdentity())
      let pushes = try session.service.pushes.pushLocation(of: session.caller)
      try goOn(in: pushes)
      return ListeningLoop.Source(watch: try pushes.cursor.watch(), nextCall: { [self] in takeAll(acting) })
    }
  }

  /// Begins at the end of the log: at the start, in another cloud, and for another account of the device.
  ///
  /// In the latter two cases the listeners are notified. No push reports the differences of another cloud, and the pushes
  /// of one account move the cursor past those that wait for another.
  private func goOn(in pushes: PushService.PushLocation) throws {
    let end = try pushes.log.end()
    let isFirst = position.withLock { position in
      defer { position = Position(userRecordName: pushes.userRecordName, notified: end) }
      return position == nil
    }
    if !isFirst { notifyOfTakenPushes() }
  }

  private func removeFromReaders() {
    Self.readers.withLock { if $0[key] === self { $0[key] = nil } }
  }

  // MARK: On the thread

  /// Takes all waiting pushes. Returns the longest time in seconds until the next call: until a late push arrives, or
  /// until a push is retried.
  @discardableResult
  package func takeAll(_ acting: ActingIdentity?) -> Double {
    do {
      // Another account may be signed in by now, or none. A sign-in changes the watched folder.
      let session = try Session(acting ?? ActingIdentity())
      if session.caller.account == nil { return .infinity }
      // Pushes to a device that is offline wait there ([network-7]).
      if try session.network() == .offline { return .infinity }
      let pushes = try session.service.pushes.pushLocation(of: session.caller)
      var next = Double.infinity
      // A damaged document of held pushes keeps no waiting push away.
      do { next = try pushes.deliverDue() } catch  where error.isDamage { loop.report(error) }
      if position.withLock({ $0?.userRecordName }) != pushes.userRecordName { try goOn(in: pushes) }
      // The cursor is locked only if a push waits.
      while !loop.isStopped, try !pushes.waiting().isEmpty { try takeWaiting(pushes) }
      try notifyOfTakenPushes(pushes)
      return next
    } catch {
      loop.report(error)
      return error.isDamage ? .infinity : ListeningLoop.retryDelay
    }
  }

  private func takeWaiting(_ pushes: PushService.PushLocation) throws {
    let lease = try pushes.cursor.hold()
    // Other processes may have taken them before.
    for push in coalesced(try pushes.waiting()) {
      guard loop.begin() else { return }
      defer { loop.end() }
      if position.withLock({ $0?.handled }) != push.sequence { deliver(push) }
      position.withLock { position in
        guard let notified = position?.notified else { return }
        position?.handled = push.sequence
        position?.notified = max(notified, push.sequence)
      }
      try lease.pass(push.sequence)
    }
  }

  /// Notifies the listeners of pushes that other processes have taken since: only those processes know the results of
  /// handling them.
  private func notifyOfTakenPushes(_ pushes: PushService.PushLocation) throws {
    var last = position.withLock { $0?.notified } ?? 0
    // The log was started again from the beginning.
    if try pushes.log.end() < last { last = 0 }
    var hasNewPushes = false
    try pushes.forEach(after: last) { push in
      (last, hasNewPushes) = (push.sequence, true)
      return true
    }
    let end = last
    position.withLock { $0?.notified = end }
    if hasNewPushes { notifyOfTakenPushes() }
  }

  private func notifyOfTakenPushes() {
    for listener in listeners.all { listener.takenElsewhere() }
  }

  /// The pushes without those that a later one with the same coalescing key replaces.
  private func coalesced(_ pushes: [DeliveredPush]) -> [DeliveredPush] {
    guard key.isCoalesced else { return pushes }
    var last: [[String]: Int64] = [:]
    for push in pushes { if let key = push.coalescingKey { last[key] = push.sequence } }
    return pushes.filter { push in push.coalescingKey.map { last[$0] == push.sequence } ?? true }
  }

  private func deliver(_ push: DeliveredPush) {
    loop.call(listeners.all.map { listener in (listener.acting, { await listener.handler(push.userInfo) }) })
  }
}

extension Session {
  /// Takes the first push that no program of the device has taken. Nil if there is none, or if the device is offline.
  package func takePush() throws -> JSONObject? {
    if try network() == .offline { return nil }
    let pushes = try service.pushes.pushLocation(of: caller)
    _ = try pushes.deliverDue()
    if try pushes.waiting().isEmpty { return nil }
    let lease = try pushes.cursor.hold()
    // Another program may have taken it before.
    guard let push = try pushes.waiting().first else { return nil }
    try lease.pass(push.sequence)
    return push.userInfo
  }
}
