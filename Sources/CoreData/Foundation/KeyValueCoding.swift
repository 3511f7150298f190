import Foundation
import FoundationPredicates
import PredicateFormat

#if !canImport(ObjectiveC)
  extension NSManagedObject {
    /// The value at the end of a key path, which may have collections' operators such as `@count` and `@sum`.
    ///
    /// Stops the process for a key that there is not, where Apple's framework raises an exception.
    @discardableResult
    public final func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }

    /// Sets the value of the last property of a key path, in the object that the others lead to. Does nothing if they
    /// lead to nil.
    ///
    /// Stops the process if they lead to something other than one object, where Apple's framework raises an exception.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
      let names = keyPath.split(separator: ".").map(String.init)
      guard let name = names.last else { return setValue(value, forKey: keyPath) }
      let holder = KeyValueCoding.value(of: self, names.dropLast())
      guard let holder = holder as? NSManagedObject else {
        if holder == nil { return }
        raiseException("setValue:forKeyPath: the key path \(keyPath) does not lead to an object of a context")
      }
      holder.setValue(value, forKey: name)
    }
  }

  // Foundation has these on Apple's systems only.
  extension NSArray {
    /// The values that the members have for a key; `NSNull` where there is none.
    @discardableResult
    public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, [key]) }

    /// The same for a key path, which may have collections' operators such as `@count` and `@sum`.
    @discardableResult
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }
  }

  extension NSSet {
    /// The values that the members have for a key, without nil.
    @discardableResult
    public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, [key]) }

    /// The same for a key path, which may have collections' operators such as `@count` and `@sum`.
    @discardableResult
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }
  }

  extension NSOrderedSet {
    /// The values that the members have for a key, without nil.
    @discardableResult
    public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, [key]) }

    /// The same for a key path, which may have collections' operators such as `@count` and `@sum`.
    @discardableResult
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }
  }

  /// Key-value coding of the objects of contexts, and of collections of them.
  enum KeyValueCoding {
    static func value(of object: Any?, _ keyPath: String) -> Any? {
      value(of: object, keyPath.split(separator: ".").map(String.init)[...])
    }

    static func value(of object: Any?, _ names: ArraySlice<String>) -> Any? {
      guard let name = names.first, let object, !(object is NSNull) else { return object is NSNull ? nil : object }
      let rest = names.dropFirst()
      switch object {
      case let object as NSManagedObject: return value(of: object.value(forKey: name), rest)
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

    /// What predicates have at the path.
    private static func collected(_ object: Any, _ names: ArraySlice<String>) -> Any? {
      var evaluator = PredicateEvaluator(.constant(true))
      do throws(PredicateEvaluationError) {
        return try evaluator.value(of: .keyPath(.subject, Array(names)), for: PredicateValue(object: object)).object
      } catch {
        raiseException(error.message, name: "NSUnknownKeyException")
      }
    }
  }
#endif
