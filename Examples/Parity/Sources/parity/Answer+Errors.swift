import CloudKit

extension Answer {
  /// The keys of `userInfo` whose texts Apple does not document, by the names that recordings have for them.
  private static let keys = [
    CKPartialErrorsByItemIDKey: "partialErrors", CKErrorRetryAfterKey: "retryAfter",
    CKRecordChangedErrorAncestorRecordKey: "ancestorRecord", CKRecordChangedErrorServerRecordKey: "serverRecord",
    CKRecordChangedErrorClientRecordKey: "clientRecord",
    CKErrorUserDidResetEncryptedDataKey: "userDidResetEncryptedData",
  ]

  static func error(_ error: any Error) -> JSON {
    let error = (error as? CKError).map { $0 as NSError } ?? error as NSError
    var info: [String: JSON] = [:]
    for (key, value) in error.userInfo { info[keys[key] ?? key] = userInfo(value, of: key) }
    return .of([
      "domain": .text(error.domain), "code": .integer(error.code), "userInfo": info.isEmpty ? nil : .object(info),
    ])
  }

  private static func userInfo(_ value: Any, of key: String) -> JSON {
    switch value {
    case let record as CKRecord: .of(["record": Self.record(record)])
    case let number as NSNumber where key == CKErrorRetryAfterKey: .marked(.duration, number.stringValue)
    case let items as [AnyHashable: any Error]:
      // The values of a partial failure; their order has no meaning.
      .object(
        items.reduce(into: [:]) { result, item in
          result[itemName(item.key.base)] = Self.error(item.value)
        })
    case let text as String: .text(text)
    case let number as NSNumber: .integer(number.intValue)
    case let error as NSError:
      .of(["domain": .text(error.domain), "code": .integer(error.code)])
    default: .text("<value>")
    }
  }

  private static func itemName(_ id: Any) -> String {
    switch id {
    case let id as CKRecord.ID: name(id)
    case let id as CKRecordZone.ID: name(id)
    case let url as URL: url.absoluteString
    default: "\(id)"
    }
  }

  /// `success`, or the error.
  static func result(_ result: Result<Void, any Error>) -> JSON {
    switch result {
    case .success: .text("success")
    case .failure(let error): .of(["error": Self.error(error)])
    }
  }
}
