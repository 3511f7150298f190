/// One key to put in or to take out.
struct KeyChange {
  var key: [UInt8]
  var isInsertion: Bool

  /// In byte order, each key once; a key that is to be removed and inserted is inserted.
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
