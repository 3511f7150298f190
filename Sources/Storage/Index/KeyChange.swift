/// One key to insert or to remove.
struct KeyChange {
  var key: [UInt8]
  var isInsertion: Bool

  /// The changes in byte order, each key once; a key that is to be removed and inserted is inserted. Throws
  /// ``IndexKeyTooLong``.
  static func ordered(insert: [[UInt8]], remove: [[UInt8]]) throws -> [KeyChange] {
    var changes = insert.map { KeyChange(key: $0, isInsertion: true) }
    changes += remove.map { KeyChange(key: $0, isInsertion: false) }
    if let long = changes.first(where: { $0.key.count > PageLayout.maximumKeyLength }) {
      throw IndexKeyTooLong(length: long.key.count)
    }
    changes.sort { left, right in
      let order = ByteOrder.compare(left.key, right.key)
      return order < 0 || (order == 0 && left.isInsertion && !right.isInsertion)
    }
    var last: [UInt8]?
    changes.removeAll { change in
      defer { last = change.key }
      return change.key == last
    }
    return changes
  }
}
