import LocalCloudStorage

/// A value in a fetch index: bytes that sort in the order of the values. No value's bytes are a prefix of another's.
///
/// Texts are compared by canonical equivalence. Only texts that are certain to be in normal form are in the order.
/// Other texts, long texts and bytes are not; every search reads their rows.
///
/// A change of this encoding needs a new version of the index (``StoreDescription/indexOwner(for:)``).
enum IndexedValue {
  static let null: [UInt8] = [0]
  private static let notANumber: [UInt8] = [1]
  /// The beginning of all other values.
  static let present: UInt8 = 2
  /// The greatest length of a text's bytes.
  private static let mostBytes = 200

  /// Nil if the value is not in the order.
  static func bytes(_ value: StoredValue, _ type: StoreSchema.AttributeType) -> [UInt8]? {
    if value == .null { return null }
    switch type {
    case .integer16, .integer32, .integer64, .boolean:
      switch value {
      case .integer(let number): return bytes(number)
      case .boolean(let truth): return bytes(Int64(truth ? 1 : 0))
      default: return nil
      }
    case .double, .float: if case .double(let number) = value { return bytes(number) }
    case .date: if case .date(let number) = value { return bytes(number) }
    case .decimal: if case .decimal(let digits) = value { return bytes(Double(digits) ?? .nan) }
    case .string: if case .string(let text) = value { return bytes(text) }
    case .uuid: if case .uuid(let text) = value { return bytes(text) }
    case .uri: if case .uri(let text) = value { return bytes(text) }
    case .binary, .transformable: break
    }
    return nil
  }

  static func bytes(_ number: Int64) -> [UInt8] {
    var bytes = [present]
    bytes.append(bigEndian: UInt64(bitPattern: number) ^ 1 << 63)
    return bytes
  }

  static func bytes(_ number: Double) -> [UInt8] {
    if number.isNaN { return notANumber }
    var bytes = [present]
    bytes.append(ordered: number)
    return bytes
  }

  static func bytes(_ text: String) -> [UInt8]? { beginning(text).map { $0 + [0] } }

  /// The bytes with which the keys of all texts with this beginning start; nil if the text is not in the order.
  static func beginning(_ text: String) -> [UInt8]? {
    guard isNormal(text) else { return nil }
    var bytes = [present]
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(zeroFree: text)
    return bytes.count <= mostBytes ? bytes : nil
  }

  /// Whether a text is certain to be in the composed normal form, so that equal texts have equal bytes and the order of
  /// texts is that of their bytes.
  private static func isNormal(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return text.unicodeScalars.allSatisfy { scalar in
      if scalar.value < 0x300 { return true }
      let properties = scalar.properties
      guard properties.canonicalCombiningClass == .notReordered, !properties.isFullCompositionExclusion else {
        return false
      }
      switch properties.generalCategory {
      // Some of these compose with the scalar before them.
      case .nonspacingMark, .spacingMark, .enclosingMark, .unassigned: return false
      default: return !isJamo(scalar.value)
      }
    }
  }

  /// The parts of syllables that are letters: those of Korean, and of Kirat Rai.
  private static func isJamo(_ scalar: UInt32) -> Bool {
    (0x16D40...0x16D7F).contains(scalar) || (0x1100...0x11FF).contains(scalar) || (0xA960...0xA97F).contains(scalar)
      || (0xD7B0...0xD7FF).contains(scalar)
  }
}
