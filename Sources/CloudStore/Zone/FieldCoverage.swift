import LocalCloudStorage

/// The fields that the index has keys for, and the extent of these keys.
///
/// Keys are made for a page of records at a time, in the order of the records' names. From the first page on, every
/// commit maintains the keys of all records, so pages may be made late, and by several processes.
struct FieldCoverage {
  enum Extent: Equatable {
    case complete
    /// Up to the record of this name. Of the records with later names, those have keys that were changed since.
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
  /// The fields of a type, in order.
  func fields(of type: String) -> [IndexedField] { byType[type] ?? [] }
  var fields: [IndexedField] { byType.values.flatMap { $0 } }
  var isEmpty: Bool { extents.isEmpty }
}
