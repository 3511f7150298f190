/// Stops the process where Apple's framework raises an Objective-C exception for a mistake in the calling code.
///
/// Only what the program itself passes may lead here, never what a store or the cloud holds.
func raiseException(_ reason: String, name: String = "NSInvalidArgumentException") -> Never {
  // Not a precondition: optimized builds leave out its message. The text is the line that Apple's platforms print.
  fatalError("*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'")
}
