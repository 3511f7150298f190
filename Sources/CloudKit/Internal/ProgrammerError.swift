/// The names of the exceptions that Apple's framework raises.
enum ExceptionName: String {
  /// The name of CloudKit's own exceptions.
  case cloudKit = "CKException"
  case invalidArgument = "NSInvalidArgumentException"
}

/// Stops the process, in cases where Apple's framework raises an Objective-C exception for a mistake in the calling
/// code.
///
/// Only values that the app passes may lead here, never data read from the cloud or from an archive.
func raise(_ reason: String, _ name: ExceptionName = .cloudKit) -> Never {
  // Not a precondition: optimized builds leave out its message. The text is the line that Apple's platforms print.
  fatalError("*** Terminating app due to uncaught exception '\(name.rawValue)', reason: '\(reason)'")
}
