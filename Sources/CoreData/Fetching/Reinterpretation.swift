/// The object as another type of the same representation.
///
/// The protocol of fetch results has no conformances for dynamic casts, and classes with different generic arguments
/// are not subclasses of one another. They share one layout: the generic argument is always a reference.
func reinterpreted<Result: AnyObject>(_ object: AnyObject) -> Result {
  Unmanaged<Result>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}
