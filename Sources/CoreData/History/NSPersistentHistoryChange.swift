import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

/// What a transaction did to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// The object was changed.
  case update = 1
  /// The object was deleted.
  case delete = 2
}

/// The change of one object in a transaction.
// Sendable: every stored property but the transaction is a constant; that one is set before other code has the change.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// A request for changes. Its predicate may name `changedObjectID`, `changedEntity`, `changeType`, `changeID`, and
  /// `transaction` with its properties. It is another one each time.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Change")
    request.entity = entityDescription
    return request
  }

  /// The entity of ``fetchRequest``.
  ///
  /// - Difference: it serves for requests of the history only.
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
  private final var kept: NSPersistentHistoryTransaction?

  init(
    id: Int64, object: NSManagedObjectID, type: NSPersistentHistoryChangeType,
    properties: [NSPropertyDescription] = [], preserved: [AnyHashable: Any]? = nil
  ) {
    self.id = id
    self.object = object
    self.type = type
    self.properties = properties
    self.preserved = preserved
    super.init()
  }

  /// The number of the change among those of its transaction, from 1 on.
  ///
  /// - Assumption: Apple does not say what the number means.
  open var changeID: Int64 { id }

  /// The identity of the object.
  open var changedObjectID: NSManagedObjectID { object }

  /// What happened.
  open var changeType: NSPersistentHistoryChangeType { type }

  /// Of an update, the properties whose values were changed.
  ///
  /// - Assumption: another order of an ordered relationship's objects is a change of that relationship, of the object
  ///   that has it. The objects that moved have none.
  open var updatedProperties: Set<NSPropertyDescription>? { type == .update ? Set(properties) : nil }

  /// Of a deletion, the values of the attributes that are preserved; nil if there are none.
  open var tombstone: [AnyHashable: Any]? { preserved }

  /// The transaction that made the change. One whose changes were asked for with it does not outlive the program's use
  /// of it.
  open var transaction: NSPersistentHistoryTransaction? { owner ?? kept }

  final func join(_ transaction: NSPersistentHistoryTransaction) { owner = transaction }

  /// Holds the transaction without its changes: these are all that is asked for.
  final func keep(_ transaction: NSPersistentHistoryTransaction) { kept = transaction }

  /// Returns the change itself, which cannot change.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A text for people.
  open override var description: String {
    "<NSPersistentHistoryChange: \(id) \(type) \(object)>"
  }
}

extension NSPersistentHistoryChange: NSFetchRequestResult {}

extension NSPersistentHistoryChange: PredicateValueConvertible {
  /// The change in a predicate, by the names of its properties.
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
