import Storage

/// What becomes of the records of a transaction.
struct RecordWrite {
  enum Version {
    /// It has a line, and stays as it is.
    case same
    case new(StoredRecord)
    case gone
  }

  /// A version that is being staged before it is put.
  struct Foreseen {
    /// As it was announced.
    let record: StoredRecord
    /// As it will be saved if nothing comes between.
    let version: StoredRecord
    let effect: Int
  }

  let name: ExactName
  /// Whether it had a file before.
  let wasThere: Bool
  fileprivate(set) var version = Version.same
  /// The number of the effect that brings it about.
  fileprivate(set) var effect = 0
  /// Where its latest line stands.
  var line: Int?
  var isTouchedOnly = true
  var foreseen: Foreseen?
}

/// All of them, by name and in order.
struct WriteSet {
  private var fates: [RecordWrite] = []
  /// So that a batch costs no more than its size.
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

  /// Answers its place.
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

  /// Those of records with a new version or gone, in the order of their first change.
  var changed: some Collection<RecordWrite> { order.lazy.map { fates[$0] } }
}
