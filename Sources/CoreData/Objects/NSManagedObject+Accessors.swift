import Foundation
import LocalCloudObjectStore

/// The functions that generated and rewritten property accessors call. Apple's compiler generates accessors for
/// `@NSManaged`.
extension NSManagedObject {
  /// The value of a property as a Swift type. A number that is nil reads as zero.
  public final subscript<Value>(_managed key: String) -> Value {
    get {
      willAccessValue(forKey: key)
      defer { didAccessValue(forKey: key) }
      return typed(key)
    }
    set {
      switch layout.property(key) {
      case .toOne, .toMany: setValue(Self.unwrapped(newValue), forKey: key)
      default:
        willChangeValue(forKey: key)
        self[_primitive: key] = newValue
        didChangeValue(forKey: key)
      }
    }
  }

  /// Like the subscript for `_managed`, without reading the object from the store and without notifying the context.
  public final subscript<Value>(_primitive key: String) -> Value {
    get { typed(key) }
    set {
      let value: Any = newValue
      setPrimitiveValue(Self.unwrapped(value), forKey: key)
    }
  }

  /// An optional in an `Any` is never nil, whether or not it holds a value.
  private static func unwrapped(_ value: Any) -> Any? {
    if let optional = value as? any OptionalValue { return optional.contents }
    return value
  }

  private func typed<Value>(_ key: String) -> Value {
    if case .attribute(let index)? = layout.property(key), index < attributes.count,
      let value = Typed<Value>.value(attributes[index])
    {
      return value
    }
    let value = primitiveValue(forKey: key)
    if let value, let typed = value as? Value { return typed }
    if let typed = converted(value, to: Value.self) { return typed }
    if let number = Typed<Value>.zero { return number }
    raiseException(
      "Unacceptable type of value for property: property = \"\(key)\"; desired type = \(Value.self); given type = "
        + "\(value.map { "\(type(of: $0))" } ?? "nil").")
  }

  private func converted<Value>(_ value: Any?, to type: Value.Type) -> Value? {
    guard let value else {
      // Nil becomes a nil optional of any type, or an empty set if the program declares no optional.
      if let optional = Value.self as? any OptionalValue.Type { return optional.nothing as? Value }
      return NSSet() as? Value ?? NSOrderedSet() as? Value
    }
    if Value.self == TimeInterval.self, let date = value as? Date {
      return date.timeIntervalSinceReferenceDate as? Value
    }
    return nil
  }

  // MARK: To-many relationships

  /// Adds an object to a relationship.
  public final func _addObject(_ object: NSManagedObject, to key: String) { setMember(object, of: key, true) }
  /// Removes an object from a relationship.
  public final func _removeObject(_ object: NSManagedObject, from key: String) { setMember(object, of: key, false) }

  /// Adds objects to a relationship.
  public final func _addObjects(_ objects: NSSet, to key: String) {
    for case let object as NSManagedObject in objects { setMember(object, of: key, true) }
  }

  /// Removes objects from a relationship.
  public final func _removeObjects(_ objects: NSSet, from key: String) {
    for case let object as NSManagedObject in objects { setMember(object, of: key, false) }
  }
}

private protocol OptionalValue {
  var contents: Any? { get }
  static var nothing: Any { get }
}

extension Optional: OptionalValue {
  fileprivate var contents: Any? {
    switch self {
    case .none: nil
    case .some(let value): (value as? any OptionalValue)?.contents ?? value
    }
  }

  fileprivate static var nothing: Any { Self.none as Any }
}

/// A fast path for the common types of attributes, without objects in between: a list shows thousands of values.
private enum Typed<Value> {
  /// Nil if the type or the value is not a common one.
  @inline(__always)
  static func value(_ stored: StoredValue) -> Value? {
    switch stored {
    case .string(let text):
      if Value.self == String?.self { return unsafeBitCast(Optional(text), to: Value.self) }
      if Value.self == String.self { return unsafeBitCast(text, to: Value.self) }
    case .integer(let number): return integer(number)
    case .boolean(let truth):
      if Value.self == Bool.self { return unsafeBitCast(truth, to: Value.self) }
    case .double(let number):
      if Value.self == Double.self { return unsafeBitCast(number, to: Value.self) }
      if Value.self == Float.self { return unsafeBitCast(Float(number), to: Value.self) }
    case .date(let seconds):
      if Value.self == Date?.self {
        return unsafeBitCast(Optional(Date(timeIntervalSinceReferenceDate: seconds)), to: Value.self)
      }
    default: break
    }
    return nil
  }

  private static func integer(_ number: Int64) -> Value? {
    if Value.self == Int64.self { return unsafeBitCast(number, to: Value.self) }
    if Value.self == Int32.self { return unsafeBitCast(Int32(truncatingIfNeeded: number), to: Value.self) }
    if Value.self == Int16.self { return unsafeBitCast(Int16(truncatingIfNeeded: number), to: Value.self) }
    if Value.self == Int.self { return unsafeBitCast(Int(number), to: Value.self) }
    return nil
  }

  /// The value that nil reads as; nil for types that are not numbers.
  static var zero: Value? {
    (Value.self as? any Numeric.Type).flatMap { $0.nothing as? Value } ?? (false as? Value)
  }
}

extension Numeric {
  fileprivate static var nothing: Self { .zero }
}
