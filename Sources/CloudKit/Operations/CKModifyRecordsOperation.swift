import CloudModel
import CloudService
import Foundation

/// Saves and deletes records, in one request.
///
/// In a custom zone, and unless ``isAtomic`` is false, all changes of the zone are made or none: if one fails, the others
/// get `batchRequestFailed`. More than 400 items or 2 MB fail the whole operation with `limitExceeded`.
///
/// - Assumption: a record that was saved takes over the server's system fields and forgets its changes, so that it can
///   be edited and saved again; the record that a block gets is a copy of its own.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// Which keys are sent, and whether a newer record on the server may be changed. Keys that are not sent keep their
  /// values on the server under every policy.
  public enum RecordSavePolicy: Int, Sendable {
    /// The changed keys, and only if the server's record is the one that was edited; else `serverRecordChanged`.
    case ifServerRecordUnchanged = 0

    /// The changed keys, whatever the server has.
    case changedKeys = 1

    /// All keys of the record at hand, whatever the server has.
    case allKeys = 2
  }

  /// The records to save.
  open var recordsToSave: [CKRecord]? { willSet { checkNotRunning() } }

  /// The IDs of the records to delete. A record that does not exist counts as deleted.
  open var recordIDsToDelete: [CKRecord.ID]? { willSet { checkNotRunning() } }

  /// Which keys are sent; at first `.ifServerRecordUnchanged`.
  ///
  /// - Assumption: under `.allKeys` too, keys set to nil are removed on the server.
  open var savePolicy = RecordSavePolicy.ifServerRecordUnchanged { willSet { checkNotRunning() } }

  /// Whether all changes of a custom zone are made or none; at first true. The default zone is never atomic.
  open var isAtomic = true { willSet { checkNotRunning() } }

  /// Data of the app's own, handed back by this device's next fetch of the zone's changes.
  open var clientChangeTokenData: Data? { willSet { checkNotRunning() } }

  /// Called with 1 when a record is saved, before its result; for a record with assets also before, while their files are
  /// read.
  @preconcurrency open var perRecordProgressBlock: (@Sendable (CKRecord, Double) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record to save.
  @preconcurrency open var perRecordSaveBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record to delete.
  @preconcurrency open var perRecordDeleteBlock: (@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end. It fails only if the request failed as a whole; failures of single records are told by the
  /// blocks of the records.
  @preconcurrency open var modifyRecordsResultBlock: (@Sendable (Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record to save, unless ``perRecordSaveBlock`` is set.
  @available(*, deprecated, renamed: "perRecordSaveBlock")
  @preconcurrency open var perRecordCompletionBlock: (@Sendable (CKRecord, (any Error)?) -> Void)? {
    get { oldRecordBlock }
    set {
      checkNotRunning()
      oldRecordBlock = newValue
    }
  }

  /// Called at the end, with what was saved and deleted; failures of single records are in a `partialFailure`.
  @available(*, deprecated, renamed: "modifyRecordsResultBlock")
  @preconcurrency open var modifyRecordsCompletionBlock:
    (@Sendable ([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldRecordBlock: (@Sendable (CKRecord, (any Error)?) -> Void)?
  private var oldResultBlock: (@Sendable ([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
  private let saved = Gathered<CKRecord>()
  private let deleted = Gathered<CKRecord.ID>()

  /// Makes an operation without records.
  public override init() {
    super.init()
  }

  /// Makes an operation that saves and deletes these.
  public convenience init(recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil) {
    self.init()
    self.recordsToSave = recordsToSave
    self.recordIDsToDelete = recordIDsToDelete
  }

  override var purpose: String { "modify some records" }

  override func work(_ request: Request) throws {
    let records = recordsToSave ?? []
    let recordIDs = recordIDsToDelete ?? []
    let sent = records.map(\.state)
    var modify = ModifyRecordsRequest(
      scope: request.scope, saves: sent.map { request.translator.save($0, policy: savePolicy) },
      deletes: recordIDs.map(request.translator.identifier),
      policy: SavePolicy(rawValue: savePolicy.rawValue) ?? .ifServerRecordUnchanged, atomic: isAtomic,
      clientChangeTokenData: clientChangeTokenData.map { [UInt8]($0) })
    modify.progress = { [self] place, fraction in
      deliver { [self] in perRecordProgressBlock?(records[place], fraction) }
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

  /// What the block of a record gets. The record that was passed takes over what the server made of it.
  private func adopting(
    _ result: Result<Record, ServiceError>, sent: RecordState, in record: CKRecord, _ request: Request
  ) -> Result<CKRecord, any Error> {
    if case .failure(let error) = result, error.code == .serverRecordChanged {
      return .failure(request.conflict(error, sent: sent))
    }
    return request.item(result, of: .save(record.recordID)) { (stored) throws(ServiceError) in
      record.adoptServerState(try request.translator.state(stored, savedAs: sent), sent: sent)
      return CKRecord.make(state: try request.translator.state(stored, savedAs: sent))
    }
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .saved(let recordID, let result):
      note(result, of: recordID)
      callSaved(recordID, result)
    case .deleted(let recordID, let result):
      note(result, of: recordID)
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
  /// A conflict, with the server's record, a copy of what was sent, and the record before its edits.
  fileprivate func conflict(_ error: ServiceError, sent: RecordState) -> CKError {
    CKError.conflict(
      error, server: error.serverRecord.flatMap { try? translator.record($0) }, client: CKRecord.make(state: sent),
      ancestor: sent.ancestor.map(CKRecord.make(state:)), container: caller.container)
  }
}
