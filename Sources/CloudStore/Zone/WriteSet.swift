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
  struct Foreseen {
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
  var foreseen: Foreseen?
}

/// A transaction's writes, by name and in order.
struct WriteSet {
  private var fates: [RecordWrite] = []
  /// The index of each name's write, so that a batch takes linear time.
  private var places: [ExactName: Int] = [:]
  private var order: [Int] = []

  mutating func reserve(_ count: Int) {
    fates.reserveCapacity(count)
    places.reserveCapacity(count)
    order.reserveCapacity(count)
  }

  subscript(place: Int) -> RecordWrite {
    get { fates[place] }
    _modify { yield &fates[place] }
  }

  subscript(name: ExactName) -> RecordWrite? { places[name].map { fates[$0] } }

  func place(of name: ExactName) -> Int? { places[name] }

  /// Adds a write and returns its index.
  mutating func add(_ name: ExactName, wasThere: Bool) -> Int {
    fates.append(RecordWrite(name: name, wasThere: wasThere))
    places[name] = fates.count - 1
    return fates.count - 1
  }

  mutating func change(_ place: Int, to version: RecordWrite.Version) {
    if case .same = fates[place].version {
      fates[place].effect = order.count
      order.append(place)
    }
    fates[place].version = version
  }

  /// The writes of records that have a new version or are deleted, in the order of their first change.
  var changed: some Collection<RecordWrite> { order.lazy.map { fates[$0] } }
}
