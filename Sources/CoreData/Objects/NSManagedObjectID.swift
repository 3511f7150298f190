import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// The identity of a managed object. Contexts, threads and processes can share it.
///
/// An object's identity is temporary until it is saved for the first time, or
/// ``NSManagedObjectContext/obtainPermanentIDs(for:)`` is called for it. The object then has another identity; the
/// temporary one does not change.
// Sendable: every stored property is a constant, except the weak reference to the store; that is set once.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  enum Key: Hashable {
    case temporary(UUID)
    case permanent(store: String, number: Int64)
  }

  let key: Key
  private let objectEntity: NSEntityDescription
  private weak let store: NSPersistentStore?

  init(temporary entity: NSEntityDescription, store: NSPersistentStore? = nil) {
    key = .temporary(UUID())
    objectEntity = entity
    self.store = store
  }

  init(_ entity: NSEntityDescription, number: Int64, in store: NSPersistentStore) {
    key = .permanent(store: store.identifier, number: number)
    objectEntity = entity
    self.store = store
  }

  /// The object's own entity.
  open var entity: NSEntityDescription { objectEntity }

  /// The store that holds the object; nil for a temporary identity.
  open var persistentStore: NSPersistentStore? { store?.latest }

  /// Whether the object is unsaved: a save gives it another identity.
  open var isTemporaryID: Bool {
    if case .temporary = key { true } else { false }
  }

  /// `x-coredata://<store>/<entity>/p<number>`, or `x-coredata:///<entity>/t<UUID>` for a temporary identity.
  @discardableResult open func uriRepresentation() -> URL {
    var components = URLComponents()
    components.scheme = "x-coredata"
    let name = entity.name ?? ""
    switch key {
    case .temporary(let id):
      components.host = ""
      components.path = "/\(name)/t\(id.uuidString)"
    case .permanent(let store, let number):
      components.host = store
      components.path = "/\(name)/p\(number)"
    }
    // The parts are a UUID, a name that the model allows and a number: together they are a valid URL.
    return components.url ?? URL(fileURLWithPath: "/")
  }

  /// The number of the object in its store; nil for a temporary identity.
  var number: Int64? {
    if case .permanent(_, let number) = key { number } else { nil }
  }

  /// Whether `object` is the identity of the same object.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    return self === other || key == other.key
  }

  /// Equal for equal identities.
  open override var hash: Int { key.hashValue }

  /// Returns the identity itself, because it is immutable.
  @discardableResult open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A textual description.
  open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID: NSFetchRequestResult {}

extension NSManagedObjectID: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .object(PredicateObject(type: "NSManagedObject", parts: predicateParts, origin: PredicateOrigin(self)))
  }

  /// The parts that identify the object in a predicate, as in a store's rows.
  var predicateParts: [String: PredicateValue] {
    switch key {
    case .temporary(let id): ["temporary": .string(id.uuidString)]
    case .permanent(let store, let number): ["number": .integer(number), "store": .string(store)]
    }
  }
}

extension NSManagedObjectID: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? {
    switch key {
    case "entity": .some(entity)
    case "isTemporaryID", "temporaryID": .some(isTemporaryID)
    case "URIRepresentation": .some(uriRepresentation())
    case "self": .some(self)
    default: .none
    }
  }
}
