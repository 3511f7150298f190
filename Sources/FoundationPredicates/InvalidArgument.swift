/// Stops the process where Apple's Foundation raises `NSInvalidArgumentException` for a mistake in the calling code.
///
/// Only what the app itself passes may lead here, never what was read from an archive or a store.
func raiseInvalidArgument(_ reason: String) -> Never {
  // Not a precondition: its text is left out of optimized programs. This is the line that Apple's platforms print.
  fatalError("*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(reason)'")
}
