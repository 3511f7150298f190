import Foundation
import LocalCloudPredicateFormat

/// An object with values by key, as all objects have on Apple's systems.
package protocol KeyValueCoded {
  /// - Returns: The value of a property (it may be nil); `.none` if the object has no property of that name.
  func codedValue(forKey key: String) -> Any??
}

/// Key-value coding of objects that are `KeyValueCoded`, and of collections of them.
package enum KeyValueCoding {
  /// The value at the end of a key path. The path may have collection operators, for example `@count` and `@sum`. Stops
  /// the process for a key that an object does not have.
  package static func value(of object: Any?, _ keyPath: String) -> Any? {
    value(of: object, keyPath.split(separator: ".").map(String.init)[...])
  }

  /// The same for the names of a key path.
  package static func value(of object: Any?, _ names: ArraySlice<String>) -> Any? {
    guard let name = names.first, let object, !(object is NSNull) else { return object is NSNull ? nil : object }
    let rest = names.dropFirst()
    switch object {
    case let object as any KeyValueCoded:
      guard let value = object.codedValue(forKey: name) else { raiseUndefined(name, of: object) }
      return self.value(of: value, rest)
    case let dictionary as NSDictionary: return value(of: dictionary.object(forKey: name as NSString), rest)
    case let set as NSSet:
      if name.hasPrefix("@") { return collected(set.allObjects, names) }
      return value(of: NSSet(array: set.allObjects.compactMap { value(of: $0, [name]) }), rest)
    case let set as NSOrderedSet:
      if name.hasPrefix("@") { return collected(set.array, names) }
      return value(of: NSOrderedSet(array: set.array.compactMap { value(of: $0, [name]) }), rest)
    case let array as [Any]:
      if name.hasPrefix("@") { return collected(array, names) }
      return value(of: NSArray(array: array.map { value(of: $0, [name]) ?? NSNull() }), rest)
    default: return collected(object, names)
    }
  }

  /// Stops the process with Apple's exception for a key that an object does not have.
  ///
  /// - Parameter selector: the method to name in the message.
  package static func raiseUndefined(
    _ key: String, of object: Any, _ selector: String = "valueForUndefinedKey:"
  ) -> Never {
    raiseException(
      "[<\(String(describing: type(of: object)))> \(selector)]: this class is not key value coding-compliant "
        + "for the key \(key).", name: "NSUnknownKeyException")
  }

  /// The value at the path, as predicates evaluate it.
  private static func collected(_ object: Any, _ names: ArraySlice<String>) -> Any? {
    var evaluator = PredicateEvaluator(.constant(true))
    do throws(PredicateEvaluationError) {
      return try evaluator.value(of: .keyPath(.subject, Array(names)), for: PredicateValue(object: object)).object
    } catch {
      raiseException(error.message, name: "NSUnknownKeyException")
    }
  }
}
