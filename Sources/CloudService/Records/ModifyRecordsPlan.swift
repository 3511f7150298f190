import CloudModel
import CloudStore
import Storage

/// What the part of a modify request that lies in one zone comes to: what becomes of each save and deletion, and what has
/// to be had before it can be committed. A value; ``ModifyRecordsPlanner`` makes it.
struct ModifyRecordsPlan {
  struct Save {
    var request: RecordSave
    /// As the zone has it.
    var stored: StoredRecord?
    /// As it is to be, or why it is not.
    var result: Result<StoredRecord, ServiceError>
    /// What its encrypted fields hold, those among them that it had before.
    var opened: [String: FieldValue] = [:]
  }

  struct Delete {
    enum Effect: Equatable {
      case delete
      /// A participant who deletes a root or a share leaves it.
      case leave(ExactName)
      /// There is nothing, or nothing that the caller may know of: a success all the same.
      case nothing
    }

    var name: ExactName
    var effect = Effect.nothing
    var result: Result<Void, ServiceError> = .success(())
  }

  /// What is settled before the zone's lock is taken, as it takes time or other locks.
  struct Needs {
    /// Types and fields that the schema lacks.
    var growth = SchemaGrowth()
    /// Accounts that need a key pair.
    var keyPairs: Set<String> = []
    /// Files to be uploaded.
    var files: [String] = []

    var isEmpty: Bool { growth.isEmpty && keyPairs.isEmpty && files.isEmpty }
  }

  /// Whether one refusal undoes all; elsewhere each item stands for itself.
  let isAtomic: Bool
  /// Where each record that is to be saved stands in `requests` and `saves`.
  let places: [ExactName: Int]
  let requests: [RecordSave]
  /// Grows while the requests are reviewed. Whatever changes in them, the planned parents may be others then.
  var saves: [Save] = [] { didSet { chains.forget() } }
  var deletes: [Delete]
  var needs = Needs()
  /// The parents of records as ``record(_:in:)`` has them.
  let chains = ParentChains()

  init(_ requests: [RecordSave], deleting names: [ExactName], isAtomic: Bool) {
    self.isAtomic = isAtomic
    self.requests = requests
    places = Dictionary(requests.enumerated().map { ($1.id.name, $0) }, uniquingKeysWith: { first, _ in first })
    deletes = names.map { Delete(name: $0) }
    saves.reserveCapacity(requests.count)
  }

  /// The record as the saves will leave it, as far as they go.
  func record(_ name: ExactName, in view: ZoneView) throws -> StoredRecord? {
    if case .success(let record)? = save(of: name)?.result { return record }
    return try view.record(name)
  }

  /// The save of a record, once it was reviewed.
  func save(of name: ExactName) -> Save? {
    places[name].flatMap { saves.indices.contains($0) ? saves[$0] : nil }
  }

  var hasFailedSave: Bool { saves.contains { $0.result.isFailure } }
  var hasFailedDelete: Bool { deletes.contains { $0.result.isFailure } }

  /// Whether nothing is left to save, as all is refused, or one in an atomic zone.
  var isRefused: Bool { isAtomic ? hasFailedSave : saves.allSatisfy { $0.result.isFailure } }

  /// An atomic zone in which something failed: the guilty keep their errors, the innocent learn whose fault it was not.
  mutating func refuseAll() {
    for place in saves.indices where !saves[place].result.isFailure { saves[place].result = .failure(.batchFailed) }
    for place in deletes.indices where !deletes[place].result.isFailure {
      deletes[place].result = .failure(.batchFailed)
    }
  }
}

extension Result {
  var isFailure: Bool {
    if case .failure = self { return true }
    return false
  }
}
