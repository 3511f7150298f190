import LocalCloudStorage

/// The change that a transaction makes to one record.
struct RecordWrite {
  enum Version {
    /// The record has a line, and stays unchanged.
    case same
    case new(StoredRecord)
    case gone
  }

  /// A version that is staged before it is put.
  struct StagedEarly {
    /// The record as it was announced.
    let record: StoredRecord
    /// The version that will be saved, unless the plan changes.
    let version: StoredRecord
    let effect: Int
  }

  let name: ExactName
  /// Whether the record had a file before.
  let wasThere: Bool
  fileprivate(set) var version = Version.same
  /// The number of the effect that writes or removes the record.
  fileprivate(set) var effect = 0
  /// The index of the record's latest line.
  var line: Int?
  var isTouchedOnly = true
  var stagedEarly: StagedEarly?
}

/// A transaction's writes, by name and in order.
struct WriteSet {
  private var writes: [RecordWrite] = []
  /// The index of each name's write, so that a batch takes linear time.
  private var indexes: [ExactName: Int] = [:]
  private var order: [Int] = []

  mutating func reserve(_ count: Int) {
    writes.reserveCapacity(count)
    indexes.reserveCapacity(count)
    order.reserveCapacity(count)
  }

  subscript(index: Int) -> RecordWrite {
    get { writes[index] }
    _modify { yield &writes[index] }
  }

  subscript(name: ExactName) -> RecordWrite? { indexes[name].map { writes[$0] } }

  func index(of name: ExactName) -> Int? { indexes[name] }

  /// Adds a write and returns its index.
  mutating func add(_ name: ExactName, wasThere: Bool) -> Int {
    writes.append(RecordWrite(name: name, wasThere: wasThere))
    indexes[name] = writes.count - 1
    return writes.count - 1
  }

  mutating func change(_ index: Int, to version: RecordWrite.Version) {
    if case .same = writes[index].version {
      writes[index].effect = order.count
      order.append(index)
    }
    writes[index].version = version
  }

  /// The writes of records that have a new version or are deleted, in the order of their first change.
  var changed: some Collection<RecordWrite> { order.lazy.map { writes[$0] } }
}
