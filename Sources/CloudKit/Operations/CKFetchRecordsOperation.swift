import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches records by their IDs. With more than 400 IDs the whole operation fails with `limitExceeded`.
///
/// A record that does not exist fails with `unknownItem`, a record in a zone that does not exist with `zoneNotFound`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The IDs of the records. An ID that occurs twice is fetched once.
  open var recordIDs: [CKRecord.ID]? { willSet { checkNotRunning() } }

  /// The keys to fetch; nil for all, empty for system fields only.
  open var desiredKeys: [CKRecord.FieldKey]? { willSet { checkNotRunning() } }

  /// Called with 1 when a record is fetched, before its result. For a record with assets it is also called with smaller
  /// values while the assets are copied.
  open var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each ID.
  open var perRecordResultBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var fetchRecordsResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each ID, unless ``perRecordResultBlock`` is set.
  @available(*, deprecated, renamed: "perRecordResultBlock")
  open var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)? {
    get { oldRecordBlock }
    set {
      checkNotRunning()
      oldRecordBlock = newValue
    }
  }

  /// Called at the end, with the records found. Failures of single records are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchRecordsResultBlock")
  open var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldRecordBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
  private var oldResultBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
  private let fetched = CollectedResults<CKRecord.ID, CKRecord>()
  var fetchesCurrentUser = false { willSet { checkNotRunning() } }

  /// Makes an operation without IDs.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the records with these IDs.
  public convenience init(recordIDs: [CKRecord.ID]) {
    self.init()
    self.recordIDs = recordIDs
  }

  /// Makes an operation that fetches the current user's record and ignores ``recordIDs``.
  ///
  /// Stops the process if called on a subclass.
  @discardableResult
  open class func fetchCurrentUserRecordOperation() -> Self {
    let operation = CKFetchRecordsOperation()
    operation.fetchesCurrentUser = true
    return operation.asSelf()
  }

  override var purpose: String { "fetch some records" }

  override func work(_ request: Request) throws {
    var wanted = recordIDs ?? []
    if fetchesCurrentUser {
      let name = try request.service.accounts.userRecordName(by: request.caller)
      wanted = CKRecordID(validating: name, zoneID: .default).map { [$0] } ?? []
    }
    var known: Set<CKRecord.ID> = []
    wanted = wanted.filter { known.insert($0).inserted }
    try NameRules.check(items: wanted.count)
    let results = try request.service.records.fetchRecords(
      FetchRecordsRequest(
        scope: request.scope, records: wanted.map(request.translator.identifier), desiredKeys: desiredKeys,
        withAssets: true),
      by: request.caller)
    for (recordID, result) in zip(wanted, results) {
      let result = request.item(result, of: .fetch(recordID)) { (record) throws(ServiceError) in
        try request.record(record) { [self] fraction in
          deliver { [self] in perRecordProgressBlock?(recordID, fraction) }
          return !isCancelled
        }
      }
      deliver(.record(recordID, result))
    }
  }

  override func call(_ event: OperationEvent) {
    guard case .record(let recordID, let result) = event else { return }
    recordResult(result, of: recordID)
    fetched.block(recordID, result)
    let (record, error) = result.parts
    if record != nil { perRecordProgressBlock?(recordID, 1) }
    if let perRecordResultBlock {
      perRecordResultBlock(recordID, result)
    } else {
      oldRecordBlock?(record, recordID, error)
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    fetchRecordsResultBlock?(outcome)
    oldResultBlock?(fetched.values.compactMapValues { try? $0.get() }, completionError(outcome))
  }
}

extension CKOperation {
  /// Casts the operation to the type that a factory declares as `Self`.
  final func asSelf<Wanted>(_ type: Wanted.Type = Wanted.self) -> Wanted {
    guard let wanted = self as? Wanted else { raise("\(type) inherits a factory that makes \(Self.self) only") }
    return wanted
  }
}
