import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

/// One save of a context, or one write of another kind, as recorded in a store's history.
// Sendable: every stored property is a constant of a Sendable type.
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  /// A request for transactions. Its predicate may name `author`, `contextName`, `timestamp`, `token`, `storeID`,
  /// `bundleID`, `processID` and `transactionNumber`. Each access creates a new request.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Transaction")
    request.entity = entityDescription
    return request
  }

  /// The entity of ``fetchRequest``.
  ///
  /// - Difference: the entity can only be used for requests of the history.
  open class var entityDescription: NSEntityDescription? { HistoryEntity.transaction }

  /// The entity of ``fetchRequest``.
  @discardableResult
  open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    entityDescription
  }

  /// The contents of a transaction.
  struct Content: Sendable {
    var number: Int64
    var timestamp: Date
    var author: String?
    var contextName: String?
    /// The program's name, and its process.
    var bundle: String
    var process: String
    /// The identifier of the store.
    var store: String
    /// Nil if the request is for transactions only.
    var changes: [NSPersistentHistoryChange]?
  }

  private final let content: Content

  init(_ content: Content) {
    self.content = content
    super.init()
    for change in content.changes ?? [] { change.join(self) }
  }

  /// A copy of the transaction with some of its changes; nil for a copy without changes.
  final func with(_ changes: [NSPersistentHistoryChange]?) -> NSPersistentHistoryTransaction {
    var content = content
    content.changes = changes
    return NSPersistentHistoryTransaction(content)
  }

  /// When the store was written.
  open var timestamp: Date { content.timestamp }

  /// The changes, one for each object; nil if the request was for transactions only.
  open var changes: [NSPersistentHistoryChange]? { content.changes }

  /// The number of the transaction. Later transactions of the same store have greater numbers.
  open var transactionNumber: Int64 { content.number }

  /// The identifier of the store.
  open var storeID: String { content.store }

  /// The name of the program that wrote the transaction.
  ///
  /// - Difference: programs have no bundle identifiers; it is the name of the program's file.
  open var bundleID: String { content.bundle }

  /// The process that wrote the transaction.
  open var processID: String { content.process }

  /// The `name` of the context.
  open var contextName: String? { content.contextName }

  /// The `transactionAuthor` of the context.
  open var author: String? { content.author }

  /// The point in the store's history just after the transaction.
  open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([content.store: content.number]) }

  /// A notification for `mergeChanges(fromContextDidSave:)`, with the identities of the changed objects.
  @discardableResult
  open func objectIDNotification() -> Notification {
    var info: [AnyHashable: Any] = [:]
    for (key, type) in [
      (NSInsertedObjectIDsKey, NSPersistentHistoryChangeType.insert), (NSUpdatedObjectIDsKey, .update),
      (NSDeletedObjectIDsKey, .delete),
    ] {
      let ids = (content.changes ?? []).filter { $0.changeType == type }.map(\.changedObjectID)
      if !ids.isEmpty { info[key] = Set(ids) }
    }
    return Notification(name: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, userInfo: info)
  }

  /// Returns the transaction itself, because it is immutable.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A textual description.
  open override var description: String {
    "<NSPersistentHistoryTransaction: \(content.number), author \(content.author ?? "(null)"), context "
      + "\(content.contextName ?? "(null)"), store \(content.store), \(content.timestamp)>"
  }
}

extension NSPersistentHistoryTransaction: NSFetchRequestResult {}

extension NSPersistentHistoryTransaction: PredicateValueConvertible {
  /// The transaction as a value in a predicate, with its properties by name, for example in `author != %@`.
  package var predicateValue: PredicateValue {
    .object(
      PredicateObject(type: "NSPersistentHistoryTransaction", parts: identity) { key in
        switch key {
        case "author": PredicateValue(object: self.author)
        case "contextName": PredicateValue(object: self.contextName)
        case "timestamp": PredicateValue(object: self.timestamp)
        case "transactionNumber": PredicateValue(object: self.transactionNumber)
        case "bundleID": PredicateValue(object: self.bundleID)
        case "processID": PredicateValue(object: self.processID)
        case "storeID": PredicateValue(object: self.storeID)
        case "token": self.token.predicateValue
        default: nil
        }
      })
  }

  private var identity: [String: PredicateValue] {
    ["store": .string(storeID), "number": .integer(transactionNumber)]
  }
}

extension NSPersistentHistoryToken: PredicateValueConvertible {
  /// The token as a value in a predicate. Tokens are compared for equality, and with `<` and `>` if both are of one
  /// store.
  ///
  /// - Assumption: tokens of one store are ordered as its transactions are.
  package var predicateValue: PredicateValue {
    if transactions.count == 1, let only = transactions.first { return .integer(only.value) }
    let parts = transactions.mapValues { PredicateValue.integer($0) }
    return .object(PredicateObject(type: "NSPersistentHistoryToken", parts: parts))
  }
}
