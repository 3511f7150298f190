import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

/// The kind of a change to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// The object was changed.
  case update = 1
  /// The object was deleted.
  case delete = 2
}

/// The change of one object in a transaction.
// Sendable: every stored property but the transaction is a constant; the transaction is set before other code has the
// change.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// A request for changes. Its predicate may name `changedObjectID`, `changedEntity`, `changeType`, `changeID`, and
  /// `transaction` with its properties. Each access creates a new request.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Change")
    request.entity = entityDescription
    return request
  }

  /// The entity of ``fetchRequest``.
  ///
  /// - Difference: the entity can only be used for requests of the history.
  open class var entityDescription: NSEntityDescription? { HistoryEntity.change }

  /// The entity of ``fetchRequest``.
  @discardableResult
  open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    entityDescription
  }

  private final let id: Int64
  private final let object: NSManagedObjectID
  private final let type: NSPersistentHistoryChangeType
  private final let properties: [NSPropertyDescription]
  private final let preserved: [AnyHashable: Any]?
  private final weak var owner: NSPersistentHistoryTransaction?
  private final var retained: NSPersistentHistoryTransaction?

  init(
    id: Int64, object: NSManagedObjectID, type: NSPersistentHistoryChangeType,
    properties: [NSPropertyDescription] = [], preserved: [AnyHashable: Any]? = nil
  ) {
    self.id = id
    self.object = object
    self.type = type
    self.properties = properties
    self.preserved = preserved
  }

  /// The number of the change in its transaction, from 1 on.
  ///
  /// - Assumption: Apple does not document the meaning of the number.
  open var changeID: Int64 { id }

  /// The identity of the object.
  open var changedObjectID: NSManagedObjectID { object }

  /// The kind of the change.
  open var changeType: NSPersistentHistoryChangeType { type }

  /// For an update, the properties with changed values; otherwise nil.
  ///
  /// - Assumption: a new order of an ordered relationship's objects is a change of that relationship, at the object
  ///   that has it. The moved objects have no change.
  open var updatedProperties: Set<NSPropertyDescription>? { type == .update ? Set(properties) : nil }

  /// For a deletion, the values of the preserved attributes; nil if there are none.
  open var tombstone: [AnyHashable: Any]? { preserved }

  /// The transaction that made the change. If it was fetched with its changes, the reference is weak: nil once the
  /// program has released the transaction.
  open var transaction: NSPersistentHistoryTransaction? { owner ?? retained }

  final func join(_ transaction: NSPersistentHistoryTransaction) { owner = transaction }

  /// Retains the transaction without its changes, for a request that returns changes only.
  final func retainTransaction(_ transaction: NSPersistentHistoryTransaction) { retained = transaction }

  /// Returns the change itself, because it is immutable.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A textual description.
  open override var description: String {
    "<NSPersistentHistoryChange: \(id) \(type) \(object)>"
  }
}

extension NSPersistentHistoryChange: NSFetchRequestResult {}

extension NSPersistentHistoryChange: PredicateValueConvertible {
  /// The change as a value in a predicate, with its properties by name.
  package var predicateValue: PredicateValue {
    .object(
      PredicateObject(type: "NSPersistentHistoryChange", parts: identity) { key in
        switch key {
        case "changeID": .integer(self.changeID)
        case "changeType": .integer(Int64(self.changeType.rawValue))
        case "changedObjectID": self.changedObjectID.predicateValue
        case "changedEntity": PredicateValue(object: self.changedObjectID.entity)
        case "transaction": self.transaction?.predicateValue ?? .null
        default: nil
        }
      })
  }

  private var identity: [String: PredicateValue] {
    ["transaction": self.transaction?.predicateValue ?? .null, "number": .integer(changeID)]
  }
}
