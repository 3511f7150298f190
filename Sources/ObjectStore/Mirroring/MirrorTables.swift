/// Read access to the mirroring's tables: of the stored state, or of the state that a transaction makes.
package protocol MirrorTables {
  /// The row with that number; nil if there is none.
  func row(_ id: Int64, in table: MirrorTable) throws -> MirrorRow?
  /// The rows with keys that begin with `prefix`, in the order of their keys' bytes.
  func rows(prefix: String, in table: MirrorTable) throws -> [MirrorRow]
}

extension MirrorTables {
  /// The pairs of an object on one side of the relationship. `isForward`: as the object that has the relationship;
  /// otherwise as the other one.
  package func links(of number: Int64, isForward: Bool) throws -> [LinkEntry] {
    let prefix = isForward ? LinkEntry.forwardPrefix(number) : LinkEntry.backwardPrefix(number)
    return try rows(prefix: prefix, in: .links).compactMap(link)
  }

  /// The pair that one of its rows belongs to.
  package func link(_ row: MirrorRow?) throws -> LinkEntry? {
    guard let id = LinkEntry.number(row) else { return LinkEntry(row) }
    return LinkEntry(try self.row(id, in: .links))
  }

  /// All pairs of an object.
  package func links(of number: Int64) throws -> [LinkEntry] {
    try links(of: number, isForward: true) + links(of: number, isForward: false)
  }
}
