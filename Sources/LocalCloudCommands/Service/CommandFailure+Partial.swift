import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

extension CommandFailure {
  /// Summarises the failures of a batch of `count` items; nil if none failed. For a batch of one item, it is that
  /// item's own error.
  init?(_ failures: [(name: String, error: ServiceError)], of count: Int, _ things: String) {
    guard let first = failures.first else { return nil }
    if count == 1 {
      self.init(service: first.error)
      return
    }
    // In an atomic batch most items fail only because of another one's failure.
    let guilty = failures.filter { $0.error.code != .batchRequestFailed }
    let reported = guilty.isEmpty ? failures : guilty
    let codes = Set(reported.map { ExitCode($0.error) })
    let texts =
      reported.prefix(5).map { "\($0.name): \($0.error.message)" }
      + (reported.count > 5 ? ["…"] : [])
    self.init(
      codes.count == 1 ? ExitCode(reported[0].error) : .failure, code: ServiceError.Code.partialFailure.name,
      "\(failures.count) of \(count) \(things) failed: \(texts.joined(separator: "; "))",
      hint: CommandFailure(service: reported[0].error).hint, path: reported.count == 1 ? reported[0].error.path : nil,
      ckErrorCode: ServiceError.Code.partialFailure.rawValue,
      retryAfter: reported.compactMap(\.error.retryAfter).max())
    details["partialErrors"] = .array(
      failures.map { failure in
        var object: JSONObject = [
          "ckErrorCode": .integer(Int64(failure.error.code.rawValue)), "code": .string(failure.error.code.name),
          "message": .string(failure.error.message), "name": .string(failure.name),
        ]
        object["path"] = failure.error.path.map { .string($0) }
        return .object(object)
      })
  }
}
