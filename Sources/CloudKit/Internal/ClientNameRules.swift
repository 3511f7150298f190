import LocalCloudModel

/// The rules for names, keys and types that Apple's framework checks before it sends anything. Each function returns
/// the reason for a refusal, or nil.
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

  /// The name has to be a letter followed by letters, digits and underscores.
  // NOTE: the text is that of a report, https://github.com/evermeer/EVCloudKitDao/issues/7
  static func problem(recordType: String, isServerMade: Bool = false) -> String? {
    if recordType.isEmpty { return "recordType must not be nil or empty" }
    if isServerMade || recordType == Record.shareType { return nil }
    return NameRules.isIdentifier(recordType) ? nil : "recordType (\(recordType)) contains invalid characters"
  }

  /// The key has to be a letter followed by letters, digits and underscores. Keys of shares may consist of several such
  /// parts with dots between them. One underscore may precede the key: tests of other libraries keep values of their own
  /// under such keys, without a save.
  ///
  /// - Assumption: a leading underscore of a field's key is judged at save.
  /// - Assumption: the exception for a field's key with other characters has the text that reports give for a record
  ///   type of that kind: `key (a b) contains invalid characters`.
  static func problem(fieldKey key: String, ofShare: Bool) -> String? {
    if key.isEmpty { return "Field key must not be nil or empty" }
    if let reason = tooLong(key, called: "Field key") { return reason }
    let bare = key.hasPrefix("_") ? key.dropFirst() : key[...]
    let parts = ofShare ? bare.split(separator: ".", omittingEmptySubsequences: false) : [bare]
    return parts.allSatisfy(NameRules.isIdentifier) ? nil : "key (\(key)) contains invalid characters"
  }

  private static func problem(_ name: String, called what: String) -> String? {
    if name.isEmpty { return "\(what) must not be nil or empty" }
    return tooLong(name, called: what)
  }

  private static func tooLong(_ name: String, called what: String) -> String? {
    // Counts UTF-16 units, as NSString does.
    guard name.utf16.count > NameRules.maximumLength else { return nil }
    return "\(what) is longer than \(NameRules.maximumLength) characters"
  }
}
