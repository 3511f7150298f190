/// Calls the body. Linux has no autoreleased objects: an object is released after its last use.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
