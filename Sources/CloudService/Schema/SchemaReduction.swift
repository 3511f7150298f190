import LocalCloudStorage
import LocalCloudStore

/// The types and fields that a schema loses, to be deleted with their data.
struct SchemaReduction: Sendable, Hashable {
  private(set) var types: Set<String> = []
  /// Lost fields by type, for types that stay.
  private(set) var fields: [String: Set<String>] = [:]

  init(_ changes: [SchemaChange]) {
    for change in changes where !change.isAdditive {
      switch change.subject {
      case .type(let name): types.insert(name)
      case .field(let type, let key): fields[type, default: []].insert(key)
      case .role, .indexes, .grants: break
      }
    }
  }

  var isEmpty: Bool { types.isEmpty && fields.isEmpty }

  /// The types of records that must be examined.
  private var affected: [String] { types.union(fields.keys).sorted() }

  /// The next records of a zone that may be affected, by type and name.
  func records(
    in view: ZoneView, after last: (type: String, name: ExactName)?, limit: Int
  ) throws -> [(type: String, name: ExactName)] {
    var result: [(type: String, name: ExactName)] = []
    for type in affected {
      if let last, type < last.type { continue }
      let after = last.flatMap { $0.type == type ? $0.name : nil }
      result += try view.records(ofType: type, after: after, limit: limit - result.count).map { (type, $0) }
      if result.count >= limit { break }
    }
    return result
  }

  /// Removes the lost fields from a record. Returns the keys of those that it had.
  func removeFields(of record: inout StoredRecord) -> [String] {
    guard let keys = fields[record.type], var values = record.object["fields"]?.object else { return [] }
    let had = keys.filter { values[$0] != nil }.sorted()
    if had.isEmpty { return [] }
    for key in had { values[key] = nil }
    record.object["fields"] = .object(values)
    return had
  }
}
