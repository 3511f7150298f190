import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The key of a value in a field's index: bytes in the order of the values ([index-10]).
///
/// A change to this encoding needs a new version of the index; otherwise old indexes give wrong results.
enum FieldIndexKey {
  /// The key of a record that every search must read: the record is unreadable, or its list is too long.
  static let always: [UInt8] = [0]
  static let missing: [UInt8] = [1]
  /// The keys of list elements have this bit set in their first byte.
  static let element: UInt8 = 0x80
  /// A list with more elements gets no keys for its elements.
  static let mostElements = 250

  static let encoding = FieldEncoding { stored, fields in entries(of: try? Record(stored, zone: .default), fields) }

  /// The encoding of a record whose plain fields are known.
  static func encoding(of values: [String: FieldValue]) -> FieldEncoding {
    FieldEncoding { stored, fields in
      entries(of: try? Record(stored.object, fields: values, zone: .default), fields)
    }
  }

  private static func entries(of record: Record?, _ fields: [String]) -> [[[UInt8]]] {
    guard let record else { return fields.map { _ in [always] } }
    return fields.map { entries(of: record.value(of: $0, SystemField(key: $0))) }
  }

  /// All keys of a record for a field: the value's own, and one for each element of a list.
  static func entries(of value: FieldValue?) -> [[UInt8]] {
    guard let value else { return [missing] }
    guard case .list(_, let elements) = value else { return [bytes(of: value)] }
    let taken = Set(elements.prefix(mostElements + 1).map { bytes(ofElement: $0) })
    return [bytes(of: value)] + (elements.count > mostElements ? [always] : Array(taken))
  }

  static func bytes(ofElement value: FieldValue) -> [UInt8] {
    var bytes = bytes(of: value)
    bytes[0] |= element
    return bytes
  }

  /// The key of a value; a missing value precedes all others. A key of the maximum length may be truncated, and is then
  /// the key of several values.
  static func bytes(of value: FieldValue?) -> [UInt8] {
    guard let value else { return missing }
    var bytes: [UInt8] = [kind(of: value)]
    switch value {
    case .string(let text): bytes.append(zeroFree: text, limit: FieldEncoding.maximumLength)
    case .bytes(let data): bytes.append(zeroFree: data, limit: FieldEncoding.maximumLength)
    case .int64(let number): append(number, to: &bytes)
    case .double(let number): append(number, remainder: 0, to: &bytes)
    case .timestamp(let time): bytes.append(ordered: time.secondsSince2001)
    case .location(let location):
      bytes.append(ordered: location.latitude)
      bytes.append(ordered: location.longitude)
    // The zone is left out, as its spelling depends on the caller.
    case .reference(let reference):
      bytes.append(zeroFree: reference.record.string, limit: FieldEncoding.maximumLength)
    case .asset, .list: break
    }
    return bytes
  }

  static func isWhole(_ bytes: some Collection<UInt8>) -> Bool { bytes.count < FieldEncoding.maximumLength }

  /// The first byte of a key, by type. The next number is for a list of that type.
  private static func kind(of value: FieldValue) -> UInt8 {
    if case .list(let type, _) = value { return kind(of: type) + 1 }
    return kind(of: value.elementType ?? .asset)
  }

  /// In the order of the types' names. This order matters only if manual edits put several types into one field. All
  /// numbers are one kind.
  static func kind(of type: FieldValue.ElementType) -> UInt8 {
    switch type {
    case .asset: 2
    case .bytes: 4
    case .double, .int64: 6
    case .location: 8
    case .reference: 10
    case .string: 12
    case .timestamp: 14
    case .unknown: 16
    }
  }

  // MARK: Bytes

  /// Appends the greatest double that is not above the number, and the remainder, at most 1023.
  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    var floor = Double(number)
    // Rounding may have given a greater number, even one above all integers.
    if floor >= 0x1p63 || Int64(floor) > number { floor = floor.nextDown }
    append(floor, remainder: UInt16(number - Int64(floor)), to: &bytes)
  }

  private static func append(_ number: Double, remainder: UInt16, to bytes: inout [UInt8]) {
    bytes.append(ordered: number)
    bytes.append(bigEndian: remainder)
  }
}
