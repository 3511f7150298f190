import LocalCloudStorage

/// The values of an object that must be unique, as a unique index has them.
///
/// They are equal as a database's are: texts if their bytes are equal, numbers if their nearest fractions of 64 bits
/// are equal.
struct UniqueValues: Hashable, Sendable {
  /// The entity that declares the index, and the number of the index in that entity.
  var owner: Int
  var index: Int
  var bytes: [UInt8]
}

extension IndexLayout {
  /// Nil if the index is not unique, or if one of the values is missing: other objects may be without one, too.
  func uniqueValues(of row: StoredRow) -> UniqueValues? {
    guard isUnique else { return nil }
    var bytes: [UInt8] = []
    for element in elements {
      guard let value = exactBytes(of: row, element) else { return nil }
      bytes += value
    }
    return UniqueValues(owner: owner, index: index, bytes: bytes)
  }

  private func exactBytes(of row: StoredRow, _ element: Element) -> [UInt8]? {
    switch element.part {
    case .attribute(let slot, _): slot < row.attributes.count ? Self.exactBytes(row.attributes[slot]) : nil
    case .toOne(let slot):
      (slot < row.toOnes.count ? row.toOnes[slot] : nil).map { IndexedValue.bytes($0.number) }
    }
  }

  /// No result is a prefix of another. Nil for a value that equals no other one: nil, and not-a-number.
  private static func exactBytes(_ value: StoredValue) -> [UInt8]? {
    switch value {
    case .null: return nil
    case .boolean(let truth): return IndexedValue.bytes(Int64(truth ? 1 : 0))
    case .integer(let number): return IndexedValue.bytes(number)
    case .double(let number), .date(let number): return number.isNaN ? nil : IndexedValue.bytes(number)
    case .decimal(let digits): return Double(digits).flatMap { $0.isNaN ? nil : IndexedValue.bytes($0) }
    case .string(let text), .uuid(let text), .uri(let text):
      var bytes: [UInt8] = []
      bytes.append(zeroFree: text)
      return bytes + [0]
    case .binary(let content):
      var bytes: [UInt8] = []
      bytes.append(short: UInt64(content.count))
      return bytes + content
    case .external(let binary): return Array(binary.digest.utf8) + [0]
    }
  }
}
