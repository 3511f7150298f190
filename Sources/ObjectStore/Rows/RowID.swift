/// An object's identity within its store.
///
/// A store assigns each number once, over all its entities; numbers rise.
package struct RowID: Hashable, Sendable {
  /// The object's own entity, by its place in the schema.
  package var entity: UInt16
  package var number: Int64

  package init(entity: Int, number: Int64) {
    self.entity = UInt16(truncatingIfNeeded: entity)
    self.number = number
  }
}

extension RowID: Comparable {
  package static func < (left: RowID, right: RowID) -> Bool {
    (left.number, left.entity) < (right.number, right.entity)
  }
}

/// Objects as the files name them: `Post/12`.
struct EntityNames: Sendable {
  private let names: [String]
  private let places: [String: Int]

  init(_ schema: StoreSchema) {
    names = schema.entities.map(\.name)
    places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func text(_ id: RowID) -> String {
    let entity = Int(id.entity)
    return "\(entity < names.count ? names[entity] : "")/\(id.number)"
  }

  /// Nil if there is no such entity.
  func id(_ text: String) -> RowID? {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), let entity = places[String(text[..<slash])],
      let number = Int64(text[text.utf8.index(after: slash)...]), number > 0
    else { return nil }
    return RowID(entity: entity, number: number)
  }
}
