import Foundation
import Synchronization

extension NotificationCenter {
  /// Calls a method of an observer with each notification, on the posting thread. Neither the observer nor the object
  /// is retained; a deallocated observer need not be removed.
  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    let entry = MethodObserver(observer, name, object)
    let token = addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
      guard let receiver = entry.receiver else {
        if let self { MethodObservers.shared.remove(from: self) { $0 === entry } }
        return
      }
      if entry.wants(notification) { _ = selector.send(to: receiver, with: notification) }
    }
    MethodObservers.shared.add(entry, token, to: self)
  }

  /// Removes an observer of either kind: one with a method, or a token returned by `addObserver(forName:…)`.
  public func removeObserver<Observer>(_ observer: Observer) { removeObserver(observer, name: nil, object: nil) }

  /// Removes an observer, only for a name and an object if they are given.
  public func removeObserver<Observer>(_ observer: Observer, name: NSNotification.Name?, object: Any?) {
    let identity = MethodObserver.identity(observer)
    let sender = object.map { ObjectIdentifier($0 as AnyObject) }
    MethodObservers.shared.remove(from: self) {
      $0.identity == identity && (name == nil || $0.name == name) && (sender == nil || $0.sender == sender)
    }
    // Foundation's own.
    let other: Any = observer
    removeObserver(other, name: name, object: object)
  }
}

/// An observer, its method's receiver and the notifications it observes.
///
/// Threads: the weak references are set before other threads can access the object, and only the runtime changes them.
private final class MethodObserver: @unchecked Sendable {
  private weak var object: AnyObject?
  /// The receiver, if it is not an object: a class always exists, and a value has no other owner.
  private let value: Any?
  private weak var senderObject: AnyObject?
  let identity: ObjectIdentifier
  let sender: ObjectIdentifier?
  let name: NSNotification.Name?

  init(_ observer: Any, _ name: NSNotification.Name?, _ sender: Any?) {
    let object = observer as AnyObject
    identity = Self.identity(observer)
    value = type(of: observer) is AnyClass ? nil : observer
    self.object = object
    let sender = sender.map { $0 as AnyObject }
    senderObject = sender
    self.sender = sender.map { ObjectIdentifier($0) }
    self.name = name
  }

  static func identity(_ observer: Any) -> ObjectIdentifier {
    (observer as? AnyClass).map { ObjectIdentifier($0) } ?? ObjectIdentifier(observer as AnyObject)
  }

  /// Nil if the observer was deallocated.
  var receiver: Any? { value ?? object }

  func wants(_ notification: Notification) -> Bool {
    guard sender != nil else { return true }
    guard let senderObject, let posted = notification.object else { return false }
    return posted as AnyObject === senderObject
  }
}

/// The observers with methods of all centres, with their tokens in Foundation's centres.
private final class MethodObservers: Sendable {
  static let shared = MethodObservers()

  /// Tokens are only returned to the centre that created them, and it has its own lock.
  private struct Entry: @unchecked Sendable {
    var observer: MethodObserver
    var token: any NSObjectProtocol
  }

  private struct State {
    var entries: [ObjectIdentifier: [Entry]] = [:]
    /// The number of a centre's entries above which those of deallocated observers are removed.
    var limits: [ObjectIdentifier: Int] = [:]
  }

  private let state = Mutex(State())

  func add(_ observer: MethodObserver, _ token: any NSObjectProtocol, to centre: NotificationCenter) {
    let (entry, identity) = (Entry(observer: observer, token: token), ObjectIdentifier(centre))
    let isFull = state.withLock { state in
      state.entries[identity, default: []].append(entry)
      return state.entries[identity]?.count ?? 0 > state.limits[identity] ?? 64
    }
    guard isFull else { return }
    remove(from: centre) { $0.receiver == nil }
    state.withLock { state in
      state.limits[identity] = max(64, 2 * (state.entries[identity]?.count ?? 0))
    }
  }

  func remove(from centre: NotificationCenter, where isRemoved: (MethodObserver) -> Bool) {
    let identity = ObjectIdentifier(centre)
    // Evaluated outside of the lock: an observer that is deallocated concurrently may remove itself.
    let removed = state.withLock { $0.entries[identity] ?? [] }.filter { isRemoved($0.observer) }
    guard !removed.isEmpty else { return }
    let identities = Set(removed.map { ObjectIdentifier($0.observer) })
    state.withLock { state in
      let remaining = state.entries[identity]?.filter { !identities.contains(ObjectIdentifier($0.observer)) } ?? []
      state.entries[identity] = remaining.isEmpty ? nil : remaining
    }
    for entry in removed {
      let token: Any = entry.token
      centre.removeObserver(token, name: nil, object: nil)
    }
  }
}
