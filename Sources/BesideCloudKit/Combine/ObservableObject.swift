import Foundation

/// An object that tells before it changes. ``objectWillChange`` is made for it, and sends before each of its `@Published`
/// properties is set.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher.of(self) }
}

/// Says that something will change, not what.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  private let core = SubjectCore<Void, Never>()

  public init() {}

  public func send() { core.send(()) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    // The table below does not hold the publisher; whoever subscribes does.
    core.receive(subscriber: subscriber, keeping: self)
  }
}

extension ObservableObjectPublisher {
  /// The publishers of objects that have none of their own. A class of Swift has no room for what it does not declare, so
  /// they are found by the object's address; the weak reference tells an object from a later one in the same place.
  private struct Entry {
    weak var object: AnyObject?
    weak var publisher: ObservableObjectPublisher?
  }

  /// - Note: `@unchecked Sendable`: its contents are only touched under its lock.
  private final class Table: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var limit = 64

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
      if let publisher = existing(of: object) { return publisher }
      let new = ObservableObjectPublisher()
      // Objects that are read from a weak reference are released outside the lock: theirs may be the last reference.
      var read: [AnyObject] = []
      return lock.withLock {
        if entries.count >= limit {
          entries = entries.filter { _, entry in
            guard let object = entry.object, let publisher = entry.publisher else { return false }
            read += [object, publisher]
            return true
          }
          limit = max(64, 2 * entries.count)
        }
        let key = ObjectIdentifier(object)
        if let entry = entries[key], entry.object === object, let publisher = entry.publisher { return publisher }
        entries[key] = Entry(object: object, publisher: new)
        return new
      }
    }

    func existing(of object: AnyObject) -> ObservableObjectPublisher? {
      lock.withLock {
        guard let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
        return entry.publisher
      }
    }
  }

  private static let table = Table()

  /// The publisher of an object that has none of its own.
  static func of(_ object: AnyObject) -> ObservableObjectPublisher { table.publisher(of: object) }

  /// Nil if nobody has asked for it, so that there is nobody to tell.
  static func existing(of object: AnyObject) -> ObservableObjectPublisher? { table.existing(of: object) }
}
