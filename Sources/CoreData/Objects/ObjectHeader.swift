/// The header of objects in the Swift runtime. Its first word points to the class.
enum ObjectHeader {
  /// Changes an object's class to a subclass, if the subclass has no stored properties of its own.
  ///
  /// The object's memory has the size of its former class. A subclass of the same size has the same stored properties
  /// and the same way to release them.
  ///
  /// - Returns: whether the object has the subclass now.
  static func setClass(of object: AnyObject, to subclass: AnyClass) -> Bool {
    let own: AnyClass = type(of: object)
    var ancestor: AnyClass? = subclass
    while let present = ancestor, present != own { ancestor = _getSuperclass(present) }
    guard ancestor != nil, extents(subclass) == extents(own) else { return false }
    let header = Unmanaged.passUnretained(object).toOpaque()
    header.storeBytes(of: unsafeBitCast(subclass, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
    return true
  }
}

@_silgen_name("_swift_getSwiftClassInstanceExtents")
private func extents(_ type: AnyClass) -> (negative: UInt, positive: UInt)
