/// Stops the process where Apple's framework raises an Objective-C exception for a mistake in the calling code.
///
/// Only values that the app itself passes may lead here, never what was read from the cloud or from an archive.
func raise(_ reason: String) -> Never {
  preconditionFailure(reason)
}
