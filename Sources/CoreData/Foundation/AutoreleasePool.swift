/// Calls the body. Linux has no autoreleased objects: what is not used any more is gone at once.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
