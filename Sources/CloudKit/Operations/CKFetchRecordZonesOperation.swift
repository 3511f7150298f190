import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches zones by their IDs, or all zones of a database. A zone that does not exist fails with `zoneNotFound`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The IDs of the zones; nil in an operation that fetches all zones.
  open var recordZoneIDs: [CKRecordZone.ID]? { willSet { checkNotRunning() } }

  /// Called for each zone.
  open var perRecordZoneResultBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var fetchRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with the zones found. Failures of single zones are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchRecordZonesResultBlock")
  open var fetchRecordZonesCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldResultBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
  private let fetched = CollectedResults<CKRecordZone.ID, CKRecordZone>()
  var fetchesAll = false { willSet { checkNotRunning() } }

  /// Makes an operation without IDs.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the zones with these IDs.
  public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
    self.init()
    recordZoneIDs = zoneIDs
  }

  /// Makes an operation that fetches all zones of its database, including the default zone where one exists.
  ///
  /// Stops the process if called on a subclass.
  @discardableResult
  open class func fetchAllRecordZonesOperation() -> Self {
    let operation = CKFetchRecordZonesOperation()
    operation.fetchesAll = true
    return operation.asSelf()
  }

  override var purpose: String { "fetch some record zones" }

  override func work(_ request: Request) throws {
    var known: Set<CKRecordZone.ID> = []
    let wanted = fetchesAll ? nil : (recordZoneIDs ?? []).filter { known.insert($0).inserted }
    try NameRules.check(items: wanted?.count ?? 0)
    let results = try request.service.zones.list(
      wanted?.map(request.translator.identifier), in: request.scope, by: request.caller)
    for (index, result) in results.enumerated() {
      let result = request.item(result, request.translator.zone)
      deliver(.zone(try wanted?[index] ?? result.get().zoneID, result))
    }
  }

  override func call(_ event: OperationEvent) {
    guard case .zone(let zoneID, let result) = event else { return }
    recordResult(result, of: zoneID)
    fetched.block(zoneID, result)
    perRecordZoneResultBlock?(zoneID, result)
  }

  override func report(_ outcome: Result<Void, any Error>) {
    fetchRecordZonesResultBlock?(outcome)
    oldResultBlock?(fetched.values.compactMapValues { try? $0.get() }, completionError(outcome))
  }
}
