import Foundation
import LocalCloudModel
import LocalCloudService

/// Saves and deletes records in one request.
///
/// In a custom zone the changes are atomic unless ``isAtomic`` is false: if one item fails, the other items of the zone
/// fail with `batchRequestFailed`. With more than 400 items or 2 MB the whole operation fails with `limitExceeded`.
///
/// - Assumption: a record that was saved takes over the server's system fields and forgets its changes, so that it can
///   be edited and saved again; the record that a block gets is a copy of its own.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// Determines the keys that are sent, and whether a newer record on the server is overwritten. Keys that are not sent
  /// keep their values on the server under every policy.
  public enum RecordSavePolicy: Int, Sendable {
    /// Sends the changed keys. Fails with `serverRecordChanged` if the server no longer has the version that was
    /// edited.
    case ifServerRecordUnchanged = 0

    /// Sends the changed keys without comparing with the server's record.
    case changedKeys = 1

    /// Sends all keys of the local record without comparing with the server's record.
    case allKeys = 2
  }

  /// The records to save.
  open var recordsToSave: [CKRecord]? { willSet { checkNotRunning() } }

  /// The IDs of the records to delete. A record that does not exist counts as deleted.
  open var recordIDsToDelete: [CKRecord.ID]? { willSet { checkNotRunning() } }

  /// The policy for saving. The default is `.ifServerRecordUnchanged`.
  ///
  /// - Assumption: under `.allKeys` too, keys set to nil are removed on the server.
  open var savePolicy = RecordSavePolicy.ifServerRecordUnchanged { willSet { checkNotRunning() } }

  /// Whether the changes of a custom zone are atomic. The default is true. Changes of the default zone are never
  /// atomic.
  open var isAtomic = true { willSet { checkNotRunning() } }

  /// Data of the app. This device's next fetch of the zone's changes returns them.
  open var clientChangeTokenData: Data? { willSet { checkNotRunning() } }

  /// Called with 1 when a record is saved, before its result. For a record with assets it is also called with smaller
  /// values while their files are read.
  open var perRecordProgressBlock: ((CKRecord, Double) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record to save.
  open var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record to delete.
  open var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end. The result is a failure only if the request failed as a whole. The blocks for single records
  /// report their failures.
  open var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record to save, unless ``perRecordSaveBlock`` is set.
  @available(*, deprecated, renamed: "perRecordSaveBlock")
  open var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? {
    get { oldRecordBlock }
    set {
      checkNotRunning()
      oldRecordBlock = newValue
    }
  }

  /// Called at the end, with the saved records and the IDs of the deleted ones. Failures of single records are in a
  /// `partialFailure`.
  @available(*, deprecated, renamed: "modifyRecordsResultBlock")
  open var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldRecordBlock: ((CKRecord, (any Error)?) -> Void)?
  private var oldResultBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
  private let saved = ResultCollector<CKRecord>()
  private let deleted = ResultCollector<CKRecord.ID>()

  /// Makes an operation without records.
  public override init() {
    super.init()
  }

  /// Makes an operation that saves and deletes these records.
  public convenience init(recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil) {
    self.init()
    self.recordsToSave = recordsToSave
    self.recordIDsToDelete = recordIDsToDelete
  }

  override var purpose: String { "modify some records" }

  override func work(_ request: Request) throws {
    let records = recordsToSave ?? []
    let recordIDs = recordIDsToDelete ?? []
    try refuseRepeated(records.map(\.recordID))
    try NameRules.check(items: records.count + recordIDs.count)
    let sent = records.map(\.state)
    var modify = ModifyRecordsRequest(
      scope: request.scope, saves: sent.map { request.translator.save($0, policy: savePolicy) },
      deletes: recordIDs.map(request.translator.identifier),
      policy: SavePolicy(rawValue: savePolicy.rawValue) ?? .ifServerRecordUnchanged, atomic: isAtomic,
      clientChangeTokenData: clientChangeTokenData.map { [UInt8]($0) })
    modify.progress = { [self] index, fraction in
      deliver { [self] in perRecordProgressBlock?(records[index], fraction) }
      return !isCancelled
    }
    let response = try request.service.records.modifyRecords(modify, by: request.caller)
    for ((record, sent), result) in zip(zip(records, sent), response.saves) {
      deliver(.saved(record.recordID, adopting(result, sent: sent, in: record, request)))
    }
    for (recordID, result) in zip(recordIDs, response.deletes) {
      deliver(.deleted(recordID, request.item(result, of: .delete(recordID)) { $0 }))
    }
  }

  /// Refuses a record that is saved twice. A client finds it before it sends the request ([record-batch-5]).
  private func refuseRepeated(_ recordIDs: [CKRecord.ID]) throws {
    var seen: Set<CKRecord.ID> = []
    guard let repeated = recordIDs.first(where: { !seen.insert($0).inserted }) else { return }
    throw CKError.invalidArguments("You can't save the same record twice: \(repeated)", container: containerName)
  }

  /// The result for the block of a record. The record that the app passed adopts the server's system fields.
  private func adopting(
    _ result: Result<Record, ServiceError>, sent: RecordState, in record: CKRecord, _ request: Request
  ) -> Result<CKRecord, any Error> {
    if case .failure(let error) = result, error.code == .serverRecordChanged {
      return .failure(request.conflict(error, sent: sent))
    }
    return request.item(result, of: .save(record.recordID)) { (stored) throws(ServiceError) in
      let state = try request.translator.state(stored, savedAs: sent)
      record.adoptServerState(state, sent: sent)
      return CKRecord.make(state: state)
    }
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .saved(let recordID, let result):
      recordResult(result, of: recordID)
      callSaved(recordID, result)
    case .deleted(let recordID, let result):
      recordResult(result, of: recordID)
      if case .success = result { deleted.append(recordID) }
      perRecordDeleteBlock?(recordID, result)
    default: break
    }
  }

  private func callSaved(_ recordID: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
    let (stored, error) = result.parts
    if let stored {
      saved.append(stored)
      perRecordProgressBlock?(stored, 1)
    }
    if let perRecordSaveBlock {
      perRecordSaveBlock(recordID, result)
    } else if let oldRecordBlock, let record = stored ?? recordsToSave?.first(where: { $0.recordID == recordID }) {
      oldRecordBlock(record, error)
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    modifyRecordsResultBlock?(outcome)
    oldResultBlock?(saved.values, deleted.values, completionError(outcome))
  }
}

extension Request {
  /// The error for a conflict, with the server's record, a copy of the sent record, and the record before its edits.
  fileprivate func conflict(_ error: ServiceError, sent: RecordState) -> CKError {
    CKError.conflict(
      error, server: error.serverRecord.flatMap { try? translator.record($0) }, client: CKRecord.make(state: sent),
      ancestor: sent.ancestor.map(CKRecord.make(state:)), container: caller.container)
  }
}
