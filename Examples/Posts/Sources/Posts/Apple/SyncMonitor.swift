import CoreData
import Synchronization

/// Waits for the background work of `NSPersistentCloudKitContainer`: it sends and fetches without being called, and
/// reports its work only by events.
///
/// Must be made before the stores are loaded, so that no event is missed. An event may have begun before a save and end
/// after it. So the caller passes a mark: only events that began after the mark count.
final class SyncMonitor: NSObject, Sendable {
  /// A position in the order in which events begin.
  struct Mark {
    fileprivate var count: Int
    static let launch = Mark(count: 0)
  }

  private struct Event {
    var identifier: UUID
    var type: NSPersistentCloudKitContainer.EventType
    var storeIdentifier: String
    var hasEnded: Bool
    var error: (any Error)?
  }

  private struct State {
    /// In the order of their starts.
    var events: [Event] = []
    var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())
  private let seconds: Double

  /// `seconds`: the maximum time to wait for an event.
  init(seconds: Double) {
    self.seconds = seconds
    super.init()
    NotificationCenter.default.addObserver(
      self, selector: #selector(eventChanged(_:)), name: NSPersistentCloudKitContainer.eventChangedNotification,
      object: nil)
  }

  /// Called twice for each event: at its start, and at its end.
  @objc private func eventChanged(_ notification: Notification) {
    let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
    guard let changed = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event else { return }
    let event = Event(
      identifier: changed.identifier, type: changed.type, storeIdentifier: changed.storeIdentifier,
      hasEnded: changed.endDate != nil, error: changed.error)
    let listeners = state.withLock { state in
      if let index = state.events.firstIndex(where: { $0.identifier == event.identifier }) {
        state.events[index] = event
      } else {
        state.events.append(event)
      }
      return event.hasEnded ? Array(state.listeners.values) : []
    }
    for listener in listeners { listener.yield() }
  }

  var mark: Mark { Mark(count: state.withLock { $0.events.count }) }

  /// Waits until all objects that were saved before the call are sent. Throws the event's error, or that of a failed
  /// setup: then nothing is sent or fetched.
  ///
  /// No event names the save that caused it, and an export may have begun by itself just before the save. So this waits
  /// until no further export has followed for a short time.
  func waitForExport(of store: NSPersistentStore, since mark: Mark) async throws {
    var count: Int?
    while true {
      let events = try await events(of: store, .export, since: mark)
      if let error = events.last?.error { throw error }
      if events.count == count { return }
      count = events.count
      try await Task.sleep(for: .milliseconds(150))
    }
  }

  /// Waits until an event of that kind that began after the mark has ended.
  func wait(
    for type: NSPersistentCloudKitContainer.EventType, of store: NSPersistentStore, since mark: Mark
  ) async throws {
    if let error = try await events(of: store, type, since: mark).last?.error { throw error }
  }

  /// The store's events of that kind since the mark, once there are some and all have ended; or a failed setup.
  private func events(
    of store: NSPersistentStore, _ type: NSPersistentCloudKitContainer.EventType, since mark: Mark
  ) async throws -> [Event] {
    let storeIdentifier = store.identifier ?? ""
    let (updates, listener) = listen()
    let timer = Task { [seconds] in
      try await Task.sleep(for: .seconds(seconds))
      listener.finish()
    }
    defer {
      timer.cancel()
      listener.finish()
    }
    listener.yield()
    for await _ in updates {
      let all = state.withLock { $0.events }
      let wanted = all.dropFirst(mark.count).filter { $0.storeIdentifier == storeIdentifier && $0.type == type }
      if !wanted.isEmpty, wanted.allSatisfy(\.hasEnded) { return wanted }
      let setup = all.last { $0.storeIdentifier == storeIdentifier && $0.type == .setup }
      if let setup, setup.error != nil { return [setup] }
    }
    throw PostsError.noAnswer(seconds: seconds)
  }

  /// One element after each event that ends.
  func updates() -> AsyncStream<Void> { listen().updates }

  /// A listener until its stream ends.
  private func listen() -> (updates: AsyncStream<Void>, listener: AsyncStream<Void>.Continuation) {
    let (updates, listener) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let identifier = UUID()
    listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[identifier] = nil } }
    state.withLock { $0.listeners[identifier] = listener }
    return (updates, listener)
  }
}
