import Foundation

// NOTE: the order and the separators follow descriptions from Apple's systems that were published, such as <CKError
// 0x600003ba77b0: "Request Rate Limited" (7/2008); "This operation …"; op = …; uuid = …; Retry after 51.6 seconds>.
extension CKError: CustomStringConvertible {
  /// One line for logs: `<CKError 0x…: "Zone Not Found" (26/2036); server message = "…"; op = …; uuid = …; container ID
  /// = "…">`, and a line for each item of a partial failure.
  ///
  /// - Difference: a `CKError` and the `NSError` that it stands for are described alike; on Apple's platforms the
  ///   former is `CKError(_nsError: <CKError …>)` where its type is known at compile time.
  /// - Assumption: items are in the order of their own descriptions.
  public var description: String {
    "<CKError 0x\(String(UInt(bitPattern: ObjectIdentifier(_nsError)), radix: 16)): "
      + ([title] + details + items).joined(separator: "; ") + ">"
  }

  private var title: String {
    "\"\(Self.title(of: _nsError.code))\" (\(_nsError.code)\(below.map { "/\($0)" } ?? ""))"
  }

  /// The title of a code: `Zone Not Found` for `zoneNotFound`.
  private static func title(of code: Int) -> String {
    guard let code = Code(rawValue: code) else { return "Unknown Error" }
    let name = "\(code)".reduce(into: "") { name, letter in
      if letter.isUppercase { name += " " }
      name.append(letter)
    }
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The code of the underlying error: only the number for an error of the server, otherwise with the domain.
  private var below: String? {
    guard let error = _nsError.userInfo[NSUnderlyingErrorKey] as? NSError else { return nil }
    return error.domain == "CKInternalErrorDomain" ? "\(error.code)" : "\(error.domain):\(error.code)"
  }

  private var details: [String] {
    let userInfo = _nsError.userInfo
    var details: [String] = []
    if let message = userInfo["ServerErrorDescription"] as? String {
      details.append("server message = \"\(message)\"")
    } else if let text = userInfo[NSLocalizedDescriptionKey] as? String {
      details.append("\"\(text)\"")
    }
    if let id = userInfo["OperationID"] as? String { details.append("op = \(id)") }
    if let id = userInfo["RequestUUID"] as? String { details.append("uuid = \(id)") }
    if let id = userInfo["ContainerID"] as? String { details.append("container ID = \"\(id)\"") }
    if let seconds = retryAfterSeconds { details.append("Retry after \(seconds) seconds") }
    return details
  }

  private var items: [String] {
    guard let errors = partialErrorsByItemID else { return [] }
    var lines = errors.filter { !Self.isForOthersSake($0.value) }.map { "\t\(Self.name(of: $0.key)) = \($0.value)" }
    lines.sort()
    let omitted = errors.count - lines.count
    if omitted > 0 { lines.append("\t... \(omitted) \"Batch Request Failed\" CKErrors omitted ...") }
    return ["partial errors: {\n" + lines.joined(separator: "\n") + "\n}"]
  }

  private static func isForOthersSake(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == CKErrorDomain && error.code == Code.batchRequestFailed.rawValue
  }

  private static func name(of item: AnyHashable) -> String {
    switch item.base {
    case let recordID as CKRecord.ID: "\(recordID.recordName):(\(name(of: AnyHashable(recordID.zoneID))))"
    case let zoneID as CKRecordZone.ID: "\(zoneID.zoneName):\(zoneID.ownerName)"
    default: "\(item)"
    }
  }
}

#if !canImport(ObjectiveC)
  /// The `NSError` that a `CKError` wraps. It prints the description of the `CKError`. Apple's error is also of a
  /// subclass of its own and prints the same.
  // Sendable: as its superclass, it cannot change.
  final class CKUnderlyingNSError: NSError, @unchecked Sendable {
    convenience init(_ error: NSError) {
      self.init(domain: error.domain, code: error.code, userInfo: error.userInfo)
    }

    override var description: String { CKError(_nsError: self).description }
  }
#endif
