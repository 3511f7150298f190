import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The plan for the part of a modify request that concerns one zone: the outcome of each save and deletion, and the
/// needs that must be met before the commit. A value that ``ModifyRecordsPlanner`` builds.
struct ModifyRecordsPlan {
  struct Save {
    var request: RecordSave
    /// The record in the zone before the save; nil for a new one.
    var stored: StoredRecord?
    /// The record to be saved, or the reason why it is refused.
    var result: Result<StoredRecord, ServiceError>
    /// The values of its fields that are not encrypted, including those it had before.
    var values: [String: FieldValue] = [:]
    /// The plain values of its encrypted fields, including those it had before.
    var opened: [String: FieldValue] = [:]
  }

  struct Delete {
    enum Effect: Equatable {
      case delete
      /// The deletion of a share or its root by a participant: the participant leaves that share.
      case leave(ExactName)
      /// The record does not exist, or the caller may not know of it. Both are a success.
      case nothing
    }

    var name: ExactName
    var effect = Effect.nothing
    var result: Result<Void, ServiceError> = .success(())
  }

  /// Needs that must be met without the zone's lock, because that takes long or needs other locks.
  struct Needs {
    /// Types and fields that the schema lacks.
    var growth = SchemaGrowth()
    /// Names of accounts that need a key pair.
    var keyPairs: Set<String> = []
    /// Files to be uploaded, and assets to be copied.
    var files: [AssetSource] = []

    var isEmpty: Bool { growth.isEmpty && keyPairs.isEmpty && files.isEmpty }
  }

  /// Whether one failed item fails the whole batch of the zone; otherwise each item succeeds or fails by itself.
  let isAtomic: Bool
  /// The index of each record in `requests` and `saves`.
  let indexes: [ExactName: Int]
  let requests: [RecordSave]
  /// One element per reviewed request. A change here may change planned parents, so it clears ``chains``.
  var saves: [Save] = [] { didSet { chains.forget() } }
  var deletes: [Delete]
  var needs = Needs()
  /// Cache of the parents that ``record(_:in:)`` returns.
  let chains = ParentChains()

  init(_ requests: [RecordSave], deleting names: [ExactName], isAtomic: Bool) {
    self.isAtomic = isAtomic
    self.requests = requests
    indexes = Dictionary(requests.enumerated().map { ($1.id.name, $0) }, uniquingKeysWith: { first, _ in first })
    deletes = names.map { Delete(name: $0) }
    saves.reserveCapacity(requests.count)
  }

  /// The record with its planned save; the zone's record if no save of it is planned so far or its save failed.
  func record(_ name: ExactName, in view: ZoneView) throws -> StoredRecord? {
    if case .success(let record)? = save(of: name)?.result { return record }
    return try view.record(name)
  }

  /// The save of this record; nil before it is reviewed.
  func save(of name: ExactName) -> Save? {
    indexes[name].flatMap { saves.indices.contains($0) ? saves[$0] : nil }
  }

  var hasFailedSave: Bool { saves.contains { $0.result.isFailure } }
  var hasFailedDelete: Bool { deletes.contains { $0.result.isFailure } }

  /// Whether no save is left: in an atomic zone one save failed, elsewhere all of them.
  var isRefused: Bool { isAtomic ? hasFailedSave : saves.allSatisfy { $0.result.isFailure } }

  /// Fails every remaining item of an atomic zone with `batchRequestFailed`; items that failed before keep their own
  /// errors.
  mutating func refuseAll() {
    for index in saves.indices where !saves[index].result.isFailure { saves[index].result = .failure(.batchFailed) }
    for index in deletes.indices where !deletes[index].result.isFailure {
      deletes[index].result = .failure(.batchFailed)
    }
  }
}

extension Result {
  var isFailure: Bool {
    if case .failure = self { return true }
    return false
  }
}
