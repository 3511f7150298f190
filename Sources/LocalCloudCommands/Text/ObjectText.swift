import LocalCloudObjectStore
import LocalCloudStorage

/// Formats objects of a Core Data store for people: times as text, bytes by size and digest, relationships by the names
/// of their objects. JSON has the values in the form of the store's files.
struct ObjectText {
  let view: StoreView

  /// The number of related objects that a table names before it only counts them.
  private static let namedObjects = 3

  func table(_ rows: [StoredRow]) throws -> Table {
    Table(
      ["object", .init("version", .right), "values"],
      rows: try rows.map { row in
        let words = try (attributes(row) + relationships(row, limit: Self.namedObjects)).map {
          ShellText.word("\($0.name)=\($0.text)")
        }
        return [view.store.text(row.id), "\(row.version)", words.joined(separator: " ")]
      })
  }

  /// The attributes that have a value, by name.
  func attributes(_ row: StoredRow) -> [(name: String, text: String)] {
    zip(view.schema.entities[Int(row.id.entity)].attributes, row.attributes).compactMap { attribute, value in
      Self.text(value).map { (attribute.name, $0) }
    }
  }

  /// The relationships that lead to an object, by name.
  func relationships(_ row: StoredRow, limit: Int = .max) throws -> [(name: String, text: String)] {
    try view.schema.entities[Int(row.id.entity)].relationships.compactMap { relationship in
      let related = try view.related(row.id, relationship)
      if related.isEmpty { return nil }
      let names = related.prefix(limit).map(view.store.text).joined(separator: ", ")
      let more = related.count > limit ? " and \(related.count - limit) more" : ""
      return (view.schema.relationships[relationship].name, names + more)
    }
  }

  /// The text of a value; nil for no value.
  private static func text(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .boolean(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let digits): digits
    case .string(let text), .uuid(let text), .uri(let text): text
    case .date(let seconds): time(seconds)
    case .binary(let bytes): "\(bytes.count) bytes, \(Digest.hex128(bytes))"
    case .external(let binary): "\(binary.size) bytes, \(binary.digest)"
    }
  }

  /// The time at this number of seconds after the start of 2001; the number itself if its year is out of range for
  /// text.
  private static func time(_ seconds: Double) -> String {
    let milliseconds = (seconds * 1000).rounded() + 978_307_200_000
    return abs(milliseconds) < 2.5e14 ? Timestamp.text(milliseconds: Int64(milliseconds)) : "\(seconds)"
  }
}
