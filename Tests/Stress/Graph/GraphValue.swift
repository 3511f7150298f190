import CoreData
import FaultInjection

/// Values as texts, for messages and comparisons. Equal values have equal texts.
enum GraphValue {
  static func value(_ text: String?, _ type: NSAttributeDescription.AttributeType) -> Any? {
    guard let text else { return nil }
    switch type {
    case .string: return text
    case .integer16, .integer32, .integer64: return Int64(text).map { NSNumber(value: $0) }
    case .double: return Double(text).map { NSNumber(value: $0) }
    case .boolean: return NSNumber(value: text == "true")
    case .decimal: return NSDecimalNumber(string: text)
    case .uuid: return UUID(uuidString: text)
    case .date: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .binaryData: return bytes(text)
    default: return nil
    }
  }

  static func text(_ value: Any?, _ type: NSAttributeDescription.AttributeType) -> String? {
    switch (type, value) {
    case (.string, let text as String): text
    case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
      (.integer64, let number as NSNumber):
      "\(number.int64Value)"
    case (.double, let number as NSNumber): "\(number.doubleValue)"
    case (.boolean, let number as NSNumber): "\(number.boolValue)"
    case (.decimal, let number as NSDecimalNumber): number.stringValue
    case (.uuid, let identifier as UUID): identifier.uuidString
    case (.date, let date as Date): "\(date.timeIntervalSinceReferenceDate)"
    case (.binaryData, let data as Data): text(ofBytes: data)
    case (_, nil): nil
    default: "another type: \(String(describing: value))"
    }
  }

  /// `<count>:<seed>`: bytes that are computed from both.
  private static func bytes(_ text: String) -> Data? {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let count = Int(parts[0]), let seed = UInt64(parts[1]) else { return nil }
    var random = SeededGenerator(seed: seed)
    var data = withUnsafeBytes(of: seed.littleEndian) { Data($0) }
    while data.count < count { withUnsafeBytes(of: random.next().littleEndian) { data.append(contentsOf: $0) } }
    return data.prefix(max(8, count))
  }

  private static func text(ofBytes data: Data) -> String {
    guard data.count >= 8 else { return "\(data.count) other bytes" }
    let seed = data.prefix(8).withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    let text = "\(data.count):\(seed)"
    return bytes(text) == data ? text : "\(data.count) other bytes"
  }

  /// A random value, or nil.
  static func random(
    _ type: NSAttributeDescription.AttributeType, _ random: inout SeededGenerator
  ) -> String? {
    if Int.random(in: 0..<6, using: &random) == 0 { return nil }
    let number = Int.random(in: -5...5, using: &random)
    switch type {
    case .string: return ["", "a", "B", "é", "日本", "a b", "\u{1F600}", "%_*"].randomElement(using: &random)
    case .integer16, .integer32, .integer64: return "\(number)"
    case .double, .date: return "\(Double(number) / 4)"
    case .boolean: return "\(number > 0)"
    case .decimal: return "\(number).25"
    case .uuid: return "00000000-0000-4000-8000-0000000000\(String(format: "%02d", number + 5))"
    case .binaryData:
      let size = [8, 20, 3_000, 120_000].randomElement(using: &random) ?? 8
      return "\(size):\(UInt64.random(in: 0..<6, using: &random))"
    default: return nil
    }
  }
}
