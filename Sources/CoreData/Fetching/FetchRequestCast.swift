// Operators, so that a cast is rewritten without finding its left side: they bind as `as` does.
infix operator ⇢! : CastingPrecedence
infix operator ⇢? : CastingPrecedence

/// `request as! NSFetchRequest<Result>` in code that the plugin `AppleSources` rewrites ([rewrite-17]): fetch requests
/// for other results are not related to each other on Linux. Stops the process for any other value.
public func ⇢! <Result: NSFetchRequestResult>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> {
  guard let result = request ⇢? type else {
    let given = request.map { "\(Swift.type(of: $0))" } ?? "nil"
    raiseException("Could not cast value of type '\(given)' to '\(type)'.")
  }
  return result
}

/// `request as? NSFetchRequest<Result>` in code that is rewritten; nil for any value that is no fetch request.
public func ⇢? <Result: NSFetchRequestResult>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result>? {
  guard let request = request as? NSPersistentStoreRequest, request is any AnyFetchRequest else { return nil }
  return reinterpreted(request)
}

/// Fetch requests for any result.
protocol AnyFetchRequest {}

extension NSFetchRequest: AnyFetchRequest {}
