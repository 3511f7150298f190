import LocalCloudStorage
import LocalCloudStore

/// Renders failures for standard error.
enum FailureRenderer {
  /// Renders the usage, then the failure, then the hint: the most important part is last.
  static func text(_ failure: CommandFailure, usage: String? = nil) -> StyledText {
    var result = StyledText()
    if let usage { result.append(trusted: "usage: \(usage)\n", .dim) }
    result.append("\("localcloud:", .bold) \("error:", .boldRed) " as StyledText)
    result.append(failure.isParserMessage ? StyledText(lines: failure.message) : "\(failure.message)")
    if let code = failure.serverCode { result.append(" (\(failure.code) \(code))" as StyledText) }
    if let seconds = failure.retryAfter { result.append(" (try again in \(seconds.secondsText) s)" as StyledText) }
    if let path = failure.path, !failure.message.contains(path) {
      result.append("\n\("file:", .cyan) \(path)" as StyledText)
    }
    if let hint = failure.hint { result.append("\n\("hint:", .cyan) \(hint)" as StyledText) }
    return result
  }

  /// Renders one line of JSON.
  static func json(_ failure: CommandFailure) -> String {
    var error = failure.details
    error["code"] = .string(failure.code)
    error["message"] = .string(failure.message)
    error["exitCode"] = .integer(Int64(failure.exitCode.rawValue))
    error["ckErrorCode"] = failure.ckErrorCode.map { .integer(Int64($0)) }
    error["hint"] = failure.hint.map { .string($0) }
    error["path"] = failure.path.map { .string($0) }
    error["retryAfter"] = failure.retryAfter.map { .double($0) }
    let document: JSONObject = ["error": .object(error), "schemaVersion": CommandContext.schemaVersion]
    return String(decoding: VisibleText.escapeJSON(JSONValue.object(document).compact()), as: UTF8.self)
  }
}
