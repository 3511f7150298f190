import CoreData
import Foundation

/// An object that announces its changes. The default ``objectWillChange`` sends before each of the object's
/// `@Published` properties is set.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher.of(self) }
}

/// Announces that its object will change, without naming the property.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  private let core = SubjectCore<Void, Never>()

  public init() {}

  public func send() { core.send(()) }

  public func receive(subscriber: some Subscriber<Void, Never>) {
    // The table below holds the publisher weakly. Each subscription holds it strongly.
    core.receive(subscriber: subscriber, keeping: self)
  }
}

extension ObservableObjectPublisher {
  /// The publishers of objects that declare none of their own. A Swift class cannot gain a stored property in an
  /// extension, so the table finds publishers by the object's address. The weak reference distinguishes an object from
  /// a later one at the same address.
  private struct Entry {
    weak var object: AnyObject?
    weak var publisher: ObservableObjectPublisher?
  }

  /// - Note: `@unchecked Sendable`: its state is accessed only under its lock.
  private final class Table: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var limit = 64

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
      if let publisher = existing(of: object) { return publisher }
      let new = ObservableObjectPublisher()
      // Objects read from weak references are released outside the lock, because `read` may hold their last reference.
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

  /// The publisher of an object that declares none of its own.
  static func of(_ object: AnyObject) -> ObservableObjectPublisher { table.publisher(of: object) }

  /// The publisher if one exists. Nil means that the object has no subscribers.
  static func existing(of object: AnyObject) -> ObservableObjectPublisher? { table.existing(of: object) }
}

/// Objects announce that they were inserted, changed, deleted or read again.
extension NSManagedObject: ObservableObject {
  /// Sends when the object's context processes its changes, on the context's queue. The object already has its new
  /// values then. Reports say the same of Apple's framework (FB24036828); its documentation says "before the object
  /// changes".
  ///
  /// - Difference: changes are announced from the first time on that a program reads the publisher of any object.
  public var objectWillChange: ObservableObjectPublisher {
    ChangeAnnouncements.begin { ObservableObjectPublisher.existing(of: $0)?.send() }
    return ObservableObjectPublisher.of(self)
  }
}
