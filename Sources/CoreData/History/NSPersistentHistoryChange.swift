import Foundation

/// What a transaction did to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// The object was changed.
  case update = 1
  /// The object was deleted.
  case delete = 2
}

/// What a transaction did to one object.
// Sendable: every stored property but the transaction is a constant; that one is set before anybody else has the change.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  private final let id: Int64
  private final let object: NSManagedObjectID
  private final let type: NSPersistentHistoryChangeType
  private final let properties: [NSPropertyDescription]
  private final let preserved: [AnyHashable: Any]?
  private final weak var owner: NSPersistentHistoryTransaction?

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
  open var updatedProperties: Set<NSPropertyDescription>? { type == .update ? Set(properties) : nil }

  /// Of a deletion, the values of the attributes that are preserved; nil if there are none.
  open var tombstone: [AnyHashable: Any]? { preserved }

  /// The transaction that made the change; nil if the program has not kept it.
  ///
  /// - Difference: a result of changes only does not keep the transactions.
  open var transaction: NSPersistentHistoryTransaction? { owner }

  final func join(_ transaction: NSPersistentHistoryTransaction) { owner = transaction }

  /// Returns the change itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A text for people.
  open override var description: String {
    "<NSPersistentHistoryChange: \(id) \(type) \(object)>"
  }
}
