import Storage

/// Which fields the index has keys for, and how far they have come.
///
/// Keys are made a page of records at a time, in the order of the records' names. From the first page on every commit
/// keeps the keys of all records, so pages may come late, from several processes, or from one after another.
struct FieldCoverage {
  enum Extent: Equatable {
    case complete
    /// Of records whose names come later, those have keys that were changed since.
    case through(ExactName)

    func includes(_ name: ExactName) -> Bool {
      switch self {
      case .complete: true
      case .through(let last): name <= last
      }
    }
  }

  private var extents: [IndexedField: Extent] = [:]
  private var byType: [String: [IndexedField]] = [:]

  static let none = FieldCoverage()

  private init() {}

  init(_ index: IndexFile) throws {
    try index.scan(prefix: IndexKey.coverage) { key in
      if let (field, extent) = IndexKey.coverage(in: key) {
        extents[field] = extent
        byType[field.type, default: []].append(field)
      }
      return true
    }
  }

  subscript(field: IndexedField) -> Extent? { extents[field] }
  /// Of a type, in their order.
  func fields(of type: String) -> [IndexedField] { byType[type] ?? [] }
  var fields: [IndexedField] { byType.values.flatMap { $0 } }
  var isEmpty: Bool { extents.isEmpty }
}
