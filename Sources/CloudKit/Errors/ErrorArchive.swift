import Foundation

/// The persistent form of an error: its domain, its code, and the strings, numbers, records and underlying error of its
/// `userInfo`.
struct ErrorArchive: Codable {
  var domain: String
  var code: Int
  var texts: [String: String]?
  var numbers: [String: Double]?
  var records: [String: RecordState.Archive]?
  /// Zero or one element: a struct cannot contain itself.
  var underlying: [ErrorArchive]

  init(_ error: any Error) { self.init(error, depth: 0) }

  private init(_ error: any Error, depth: Int) {
    let error = error as NSError
    domain = error.domain
    code = error.code
    var (texts, numbers): ([String: String], [String: Double]) = ([:], [:])
    var records: [String: RecordState.Archive] = [:]
    underlying = []
    for (key, value) in error.userInfo {
      switch value {
      case let text as String: texts[key] = text
      case let number as NSNumber: numbers[key] = number.doubleValue
      case let record as CKRecord: records[key] = record.state.archive(systemFieldsOnly: false)
      case let below as any Error where key == NSUnderlyingErrorKey && depth < 3:
        underlying = [ErrorArchive(below, depth: depth + 1)]
      default: break
      }
    }
    self.texts = texts.isEmpty ? nil : texts
    self.numbers = numbers.isEmpty ? nil : numbers
    self.records = records.isEmpty ? nil : records
  }

  /// The error; nil if it is not a `CKError` with a known code, or if a record in it is damaged.
  var error: (any Error)? {
    var userInfo: [String: Any] = [:]
    for (key, text) in texts ?? [:] { userInfo[key] = text }
    for (key, number) in numbers ?? [:] { userInfo[key] = NSNumber(value: number) }
    for (key, archive) in records ?? [:] {
      guard let state = RecordState(archive: archive) else { return nil }
      userInfo[key] = CKRecord.make(state: state)
    }
    if let below = underlying.first {
      userInfo[NSUnderlyingErrorKey] = NSError(
        domain: below.domain, code: below.code, userInfo: below.texts ?? [:])
    }
    guard domain == CKErrorDomain, let code = CKError.Code(rawValue: code) else { return nil }
    return CKError(code, userInfo: userInfo)
  }
}
