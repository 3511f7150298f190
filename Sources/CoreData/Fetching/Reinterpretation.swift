/// An object as another type of the same representation.
///
/// The protocol of fetch results has no conformances that could be asked for, and the classes with it as a parameter
/// are no subclasses of one another. They are of one layout: the parameter is a reference everywhere.
func reinterpreted<Result: AnyObject>(_ object: AnyObject) -> Result {
  Unmanaged<Result>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}
