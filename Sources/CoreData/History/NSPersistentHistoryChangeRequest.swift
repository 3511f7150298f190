import Foundation

/// The kind of result of a request for the history.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether it succeeded: `Bool`.
  case statusOnly = 0
  /// The identities of the changed objects: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// The number of changes: `Int`.
  case count = 2
  /// The transactions without their changes: `[NSPersistentHistoryTransaction]`.
  case transactionsOnly = 3
  /// The changes: `[NSPersistentHistoryChange]`.
  case changesOnly = 4
  /// The transactions with their changes: `[NSPersistentHistoryTransaction]`.
  case transactionsAndChanges = 5
}

/// Fetches the history of stores, or deletes it up to a point.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The point where a fetch starts or a deletion ends.
  enum Point {
    case token(NSPersistentHistoryToken?)
    case date(Date)
    case transaction(NSPersistentHistoryTransaction?)
  }

  final let point: Point
  /// Whether the request deletes the history up to the point, instead of fetching the history after it.
  final let isDeletion: Bool

  init(point: Point, isDeletion: Bool) {
    self.point = point
    self.isDeletion = isDeletion
    resultType = isDeletion ? .statusOnly : .transactionsAndChanges
  }

  /// A copy of the request that can be changed independently.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentHistoryChangeRequest(point: point, isDeletion: isDeletion)
    copy.affectedStores = affectedStores
    copy.resultType = resultType
    copy.fetchRequest = fetchRequest
    return copy
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    try HistoryReading(context: context, request: self).result()
  }

  // MARK: Fetching

  /// Fetches the transactions after a date.
  @discardableResult
  open class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(point: .date(date), isDeletion: false)
  }

  /// Fetches the transactions after a token; all for nil.
  @discardableResult
  open class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(point: .token(token), isDeletion: false)
  }

  /// Fetches the transactions after another one; all for nil.
  @discardableResult
  open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(point: .transaction(transaction), isDeletion: false)
  }

  /// Fetches the transactions that match a request's predicate.
  @discardableResult
  open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>)
    -> NSPersistentHistoryChangeRequest
  {
    let request = NSPersistentHistoryChangeRequest(point: .token(nil), isDeletion: false)
    request.fetchRequest = fetchRequest
    return request
  }

  // MARK: Deleting

  /// Deletes the transactions before a date.
  @discardableResult
  open class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(point: .date(date), isDeletion: true)
  }

  /// Deletes the transactions before a token, and the transaction of the token; nothing for nil.
  ///
  /// - Assumption: the transaction is deleted, too.
  @discardableResult
  open class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(point: .token(token), isDeletion: true)
  }

  /// Deletes the transactions before another one, but not that one; nothing for nil.
  @discardableResult
  open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest
  {
    NSPersistentHistoryChangeRequest(point: .transaction(transaction), isDeletion: true)
  }

  // MARK: Properties

  /// The kind of result: by default transactions with their changes; for a deletion, whether it succeeded.
  open var resultType: NSPersistentHistoryResultType

  /// The token of the point; nil for a date, and for a nil point.
  open var token: NSPersistentHistoryToken? {
    switch point {
    case .token(let token): token
    case .transaction(let transaction): transaction?.token
    case .date: nil
    }
  }

  /// A request with a predicate that the transactions must match; see ``NSPersistentHistoryTransaction/fetchRequest``.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  /// The date of the point; nil for another kind of point.
  final var startDate: Date? {
    if case .date(let date) = point { date } else { nil }
  }

  /// For a fetch, the last transaction of a store before the start; for a deletion, the last transaction to delete. 0
  /// if the point is a date, nil, or of another store.
  final func start(in store: String) -> Int64 {
    switch point {
    case .date: 0
    case .token(let token): token?.transaction(in: store) ?? 0
    case .transaction(let transaction):
      transaction.map { $0.storeID == store ? $0.transactionNumber - (isDeletion ? 1 : 0) : 0 } ?? 0
    }
  }
}

/// The result of a request for the history.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  private final let found: Any?
  private final let type: NSPersistentHistoryResultType

  init(_ result: Any?, resultType: NSPersistentHistoryResultType) {
    found = result
    type = resultType
  }

  /// Creates an empty result, for a program's own subclass.
  public override init() { (found, type) = (nil, .statusOnly) }

  /// The result, of the type that ``resultType`` specifies.
  open var result: Any? { found }

  /// The kind of the result.
  open var resultType: NSPersistentHistoryResultType { type }
}
