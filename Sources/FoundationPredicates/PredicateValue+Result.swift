import Foundation
import LocalCloudPredicateFormat

/// The source object of a value, so that a result can return the same object.
// Sendable: a predicate is evaluated on a thread that may use its objects, and results are used there.
package struct PredicateOrigin: @unchecked Sendable {
  package let object: Any

  package init(_ object: Any) { self.object = object }
}

extension PredicateValue {
  /// The value as Foundation's frameworks return it: numbers as `NSNumber`, collections as `NSArray` and
  /// `NSDictionary`, other values as Swift types. Nil for null.
  package var object: Any? {
    switch self {
    case .null: nil
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .string(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): Data(bytes)
    case .location(let latitude, let longitude): [latitude, longitude] as NSArray
    case .list(let values): NSArray(array: values.map { $0.object ?? NSNull() })
    case .dictionary(let values):
      NSDictionary(dictionary: values.mapValues { $0.object ?? NSNull() })
    case .object(let object): Self.object(of: object)
    }
  }

  private static func object(of object: PredicateObject) -> Any? {
    if let origin = object.origin as? PredicateOrigin { return origin.object }
    if .object(object) == PredicateValue.nullObject { return NSNull() }
    if object.type == "NSUUID", case .string(let text)? = object.parts["UUIDString"] { return UUID(uuidString: text) }
    if object.type == "NSURL", case .string(let text)? = object.parts["absoluteString"] { return URL(string: text) }
    return nil
  }
}
