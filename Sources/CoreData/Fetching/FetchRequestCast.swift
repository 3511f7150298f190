// Operators with the precedence of `as`, so that a cast can be rewritten without parsing its left side.
infix operator ⇢! : CastingPrecedence
infix operator ⇢? : CastingPrecedence

/// `request as! NSFetchRequest<Result>` in code that the plugin `AppleSources` rewrites ([rewrite-17]): on Linux fetch
/// requests for different results are unrelated classes. Stops the process for any other value.
public func ⇢! <Result: NSFetchRequestResult>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> {
  guard let result = request ⇢? type else {
    let given = request.map { "\(Swift.type(of: $0))" } ?? "nil"
    raiseException("Could not cast value of type '\(given)' to '\(type)'.")
  }
  return result
}

/// `request as? NSFetchRequest<Result>` in rewritten code; nil for a value that is not a fetch request.
public func ⇢? <Result: NSFetchRequestResult>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result>? {
  guard let request = request as? NSPersistentStoreRequest, request is any AnyFetchRequest else { return nil }
  return reinterpreted(request)
}

/// A fetch request with any result type.
protocol AnyFetchRequest {}

extension NSFetchRequest: AnyFetchRequest {}
