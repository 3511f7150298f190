import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The failure of a command: all data of its text form and its JSON form.
///
/// `exitCode` and `code` identify the failure; the message does not.
package struct CommandFailure: Error, Equatable {
  package var exitCode: ExitCode
  /// CloudKit's error number if the service refused the request.
  package var ckErrorCode: Int?
  /// A stable word in lower camel case, for example `zoneNotFound`.
  package var code: String
  /// The failed action, its object and the reason; one sentence without a full stop.
  package var message: String
  /// Advice for the next step.
  package var hint: String?
  package var path: String?
  /// Seconds.
  package var retryAfter: Double?
  /// Further members of the JSON form.
  package var details: JSONObject
  /// The text of a usage error for cktool; nil if cktool has no words of its own for it.
  var toolMessage: ToolMessage?

  package init(
    _ exitCode: ExitCode, code: String, _ message: String, hint: String? = nil, path: String? = nil,
    ckErrorCode: Int? = nil, retryAfter: Double? = nil, details: JSONObject = [:]
  ) {
    self.exitCode = exitCode
    self.ckErrorCode = ckErrorCode
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.retryAfter = retryAfter
    self.details = details
  }

  /// `14/2004`, as CloudKit logs an error: CloudKit's own number and the server's. Nil for failures of the emulator
  /// itself, but not for a refusal by the schema, since iCloud refuses that, too.
  var serverCode: String? {
    let cause = details["cause"]?.string
    guard let ckErrorCode, cause == nil || cause == ServiceError.Cause.schema.rawValue else { return nil }
    return details["internalCode"]?.integer.map { "\(ckErrorCode)/\($0)" } ?? "\(ckErrorCode)"
  }

  /// Whether the message is that of the parser of schemas. Only its line breaks are shown: it consists of the
  /// parser's words and of tokens, and no token has a line break.
  var isParserMessage: Bool {
    details["cause"]?.string == ServiceError.Cause.schema.rawValue && message.hasPrefix("Encountered ")
  }

  /// The command line is wrong.
  package static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
    CommandFailure(.usage, code: "usage", message, hint: hint)
  }

  package static func notFound(_ message: String, hint: String? = nil) -> CommandFailure {
    CommandFailure(.notFound, code: "notFound", message, hint: hint)
  }

  /// Maps any error to a failure that the user sees. No other code does that.
  package init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let error as ServiceError:
      self.init(service: error)
    case let error as ObjectStoreError:
      self.init(objects: error)
    case let error as PredicateFormatError:
      self = .usage("the predicate is wrong: \(error)")
    case let error as PredicateEvaluationError:
      self = .usage("the predicate can't be evaluated: \(error)")
    case let error as SystemError where error.isOutOfWatches:
      self.init(
        .tryLater, code: "outOfWatches", "cannot watch \(error.path): \(error.reason)",
        hint: "end programs that watch folders, or raise the limit: sysctl fs.inotify.max_user_watches=524288",
        path: error.path)
    case let error as SystemError:
      self.init(.storage, code: "storage", "cannot \(error.call) \(error.path): \(error.reason)", path: error.path)
    default:
      self.init(
        .internalError, code: "internalError", "unexpected error: \(error)",
        hint: "this is a mistake in localcloud; please report it with the command line that led to it")
    }
  }
}

/// Ends a command with a status and without a message, because the command has already printed its result.
package struct SilentExit: Error, Equatable {
  package var exitCode: ExitCode

  package init(_ exitCode: ExitCode) { self.exitCode = exitCode }
}
