import LocalCloudStorage

/// CloudKit's rules for names and sizes ([record-name-1] and following, [record-limit-1] and following).
package enum NameRules {
  package static let maximumLength = 255
  package static let maximumRecordBytes = 1 << 20
  package static let maximumRequestBytes = 2 << 20
  package static let maximumItems = 400
  package static let maximumOwners = 750
  /// The largest number of participants in a share.
  ///
  /// - Assumption: the owner does not count towards the 100.
  package static let maximumParticipants = 100

  /// Checks the number of records, zones or subscriptions in one request. A client checks it before it sends the
  /// request, so that the error has a number of the client ([record-limit-3]).
  package static func check(items count: Int) throws(ServiceError) {
    guard count <= maximumItems else {
      throw ServiceError(
        .limitExceeded,
        "Your request contains \(count) items which is more than the maximum number of items in a single request "
          + "(\(maximumItems))", internalCode: 1020)
    }
  }

  /// Checks the number of results for a page; 0: the service chooses.
  ///
  /// - Assumption: a negative limit is `invalidArguments`; Apple documents no negative limit.
  package static func check(limit: Int) throws(ServiceError) {
    guard limit >= 0 else {
      throw .invalid("A limit of \(limit) results can't be kept: it must be 0, for any number, or more")
    }
  }

  /// Checks a name that an app chooses: any UTF-8 of up to 255 characters (UTF-16 units, as `NSString` counts), not
  /// starting with `_`.
  package static func check(_ name: ExactName, what: String, allowsUnderscore: Bool = false) throws(ServiceError) {
    let text = name.string
    guard !text.isEmpty else { throw .invalid("\(what) must not be empty") }
    guard text.utf16.count <= maximumLength else {
      throw .invalid("\(what) is longer than \(maximumLength) characters")
    }
    guard !text.utf8.contains(0) else { throw .invalid("\(what) must not hold a NUL character") }
    guard allowsUnderscore || text.utf8.first != UInt8(ascii: "_") else {
      throw .invalid("\(what) '\(text)' must not start with '_'")
    }
  }

  /// Checks a device's name. Every record that the device saves contains it.
  package static func check(device: String) throws(ServiceError) {
    try check(ExactName(device), what: "A device's name", allowsUnderscore: true)
  }

  /// Checks a device's name that a user chose. As an account's name, it has no slash and no control characters; it may
  /// have spaces, as `Alice's iPhone` has. The service itself takes any name.
  package static func check(chosenDevice device: String) throws(ServiceError) {
    try check(device: device)
    guard device.unicodeScalars.allSatisfy({ $0 != "/" && !isInvisible($0) }) else {
      throw .invalid("A device's name must not hold a slash, a line break or a control character: '\(device)'")
    }
  }

  /// Checks the name of a snapshot: 1 to 200 bytes, without a dot at its beginning and without control characters.
  package static func check(snapshot name: String) throws(ServiceError) {
    guard (1...200).contains(name.utf8.count) else {
      throw .invalidRequest("A snapshot's name has 1 to 200 bytes: '\(name.prefix(300))'")
    }
    guard name.utf8.first != UInt8(ascii: "."), !name.unicodeScalars.contains(where: isInvisible) else {
      throw .invalidRequest(
        "A snapshot's name must not begin with a dot or hold a line break or a control character: '\(name)'")
    }
  }

  /// Whether the character controls how a text is shown instead of being shown itself.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"  // Joiners are part of words and of emoji.
    default: false
    }
  }

  package static func check(type: String) throws(ServiceError) {
    guard isIdentifier(type), type.utf8.count <= maximumLength else {
      throw .invalid("'\(type.prefix(300))' is no record type: a letter first, then letters, digits and '_'")
    }
  }

  package static func check(key: String, type: String) throws(ServiceError) {
    let plain = type == Record.shareType && key.hasPrefix("cloudkit.") ? String(key.dropFirst("cloudkit.".count)) : key
    guard isIdentifier(plain), plain.utf8.count <= maximumLength else {
      throw .invalid(
        "'\(key.prefix(300))' is no field key: an ASCII letter first, then letters, digits and '_', at most 255")
    }
  }

  /// Whether the text is an ASCII letter followed by ASCII letters, digits and underscores.
  package static func isIdentifier(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
  }

  package static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Checks a container's identifier: `iCloud.` and at least one part of letters, digits, dots, hyphens and
  /// underscores.
  package static func check(container: String) throws(ServiceError) {
    let body = container.dropFirst("iCloud.".count)
    let isPlain = body.utf8.allSatisfy { byte in
      isLetterOrDigit(byte) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
    }
    guard container.hasPrefix("iCloud."), !body.isEmpty, !body.hasPrefix("."), isPlain,
      container.utf8.count <= maximumLength
    else {
      throw ServiceError(
        .badContainer, "'\(container.prefix(300))' is no container identifier", internalCode: 1014,
        hint: "An identifier looks like iCloud.com.example.App.")
    }
  }
}
