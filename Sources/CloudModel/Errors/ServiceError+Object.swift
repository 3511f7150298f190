import LocalCloudStorage

/// The dictionary that a device stores for an error, for its programs.
extension ServiceError {
  package var object: JSONObject {
    var object: JSONObject = ["code": .integer(Int64(code.rawValue)), "message": .string(message)]
    object["internalCode"] = internalCode.map { .integer(Int64($0)) }
    object["words"] = words.map { .string($0) }
    object["cause"] = cause.map { .string($0.rawValue) }
    object["hint"] = hint.map { .string($0) }
    object["path"] = path.map { .string($0) }
    object["retryAfter"] = retryAfter.map { .double($0) }
    object["urlError"] = urlError.map { .integer(Int64($0)) }
    object["serverRecord"] = serverRecord.map { .object($0.keptObject) }
    if isEncryptedDataReset { object["isEncryptedDataReset"] = true }
    return object
  }

  /// Nil if `object` is not a valid error.
  package init?(_ object: JSONObject) {
    guard let code = object["code"]?.int.flatMap(Code.init), let message = object["message"]?.string else { return nil }
    self.init(
      code, message, internalCode: object["internalCode"]?.int, cause: object["cause"]?.string.flatMap(Cause.init),
      hint: object["hint"]?.string, path: object["path"]?.string, retryAfter: object["retryAfter"]?.double)
    words = object["words"]?.string
    urlError = object["urlError"]?.int
    isEncryptedDataReset = object["isEncryptedDataReset"]?.bool == true
    guard let record = object["serverRecord"] else { return }
    guard let record = record.object.flatMap(Record.init(kept:)) else { return nil }
    serverRecord = record
  }
}
