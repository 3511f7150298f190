/// The names of the exceptions that Apple's framework raises.
enum ExceptionName: String {
  /// The name of CloudKit's own exceptions.
  case cloudKit = "CKException"
  case invalidArgument = "NSInvalidArgumentException"
}

/// Stops the process for a mistake in the calling code; see ``raiseException(_:name:)``.
func raise(_ reason: String, _ name: ExceptionName = .cloudKit) -> Never { raiseException(reason, name: name.rawValue) }
