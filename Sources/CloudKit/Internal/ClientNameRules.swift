import CloudModel

/// What Apple's framework refuses in names, keys and types before anything is sent. Each function returns the reason,
/// or nil if all is well.
enum ClientNameRules {
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
  // NOTE: the text is that of a report, https://github.com/evermeer/EVCloudKitDao/issues/7
  static func problem(recordType: String, isServerMade: Bool = false) -> String? {
    if recordType.isEmpty { return "recordType must not be nil or empty" }
    if isServerMade || recordType == Record.shareType { return nil }
    return NameRules.isIdentifier(recordType) ? nil : "recordType (\(recordType)) contains invalid characters"
  }

  /// A letter, then letters, digits and underscores; shares also have keys with dots.
  ///
  /// - Assumption: of a field's key with other characters the exception says what it is reported to say of such a record
  ///   type: `key (a b) contains invalid characters`.
  static func problem(fieldKey key: String, ofShare: Bool) -> String? {
    if key.isEmpty { return "Field key must not be nil or empty" }
    if let reason = tooLong(key, called: "Field key") { return reason }
    if key.hasPrefix("_") { return "Field key starts with an underscore, which is reserved: \(key)" }
    let parts = ofShare ? key.split(separator: ".", omittingEmptySubsequences: false) : [key[...]]
    return parts.allSatisfy(NameRules.isIdentifier) ? nil : "key (\(key)) contains invalid characters"
  }

  private static func problem(_ name: String, called what: String) -> String? {
    if name.isEmpty { return "\(what) must not be nil or empty" }
    return tooLong(name, called: what)
  }

  private static func tooLong(_ name: String, called what: String) -> String? {
    // Counted as NSString counts.
    guard name.utf16.count > NameRules.maximumLength else { return nil }
    return "\(what) is longer than \(NameRules.maximumLength) characters"
  }
}
