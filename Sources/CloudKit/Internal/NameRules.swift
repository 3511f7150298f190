/// What Apple's framework refuses in names, keys and types. Each function returns the reason, or nil if all is well.
enum NameRules {
  /// The longest record name, zone name or field key.
  static let maximumLength = 255

  static func problem(recordName: String) -> String? {
    problem(recordName, called: "recordName")
  }

  static func problem(zoneName: String) -> String? {
    problem(zoneName, called: "zoneName")
  }

  static func problem(ownerName: String) -> String? {
    problem(ownerName, called: "ownerName")
  }

  /// A letter, then letters, digits and underscores.
  static func problem(recordType: String, isServerMade: Bool = false) -> String? {
    if recordType.isEmpty { return "recordType must not be nil or empty" }
    if isServerMade || recordType == systemShareType { return nil }
    return isIdentifier(recordType[...])
      ? nil : "recordType must start with a letter and hold only letters, digits and underscores: \(recordType)"
  }

  /// A letter, then letters, digits and underscores; shares also have keys with dots.
  static func problem(fieldKey key: String, ofShare: Bool) -> String? {
    if key.isEmpty { return "Field key must not be nil or empty" }
    if key.utf16.count > maximumLength { return "Field key is longer than \(maximumLength) characters" }
    if key.hasPrefix("_") { return "Field key starts with an underscore, which is reserved: \(key)" }
    let parts = ofShare ? key.split(separator: ".", omittingEmptySubsequences: false) : [key[...]]
    return parts.allSatisfy(isIdentifier)
      ? nil : "Field key must start with a letter and hold only letters, digits and underscores: \(key)"
  }

  private static let systemShareType = "cloudkit.share"

  private static func problem(_ name: String, called what: String) -> String? {
    if name.isEmpty { return "\(what) must not be nil or empty" }
    // Counted as NSString counts.
    if name.utf16.count > maximumLength { return "\(what) is longer than \(maximumLength) characters" }
    return nil
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
