import Foundation
import LocalCloudPredicateFormat

extension PredicateValue {
  /// Converts an app's object to a value of the language, or to an object with a lookup for its keys.
  ///
  /// Stops the process for collections that are nested too deeply for a predicate.
  package init(object: Any?) { self.init(object: object, depth: PredicateTree.maximumDepth, null: .null) }

  /// Converts a constant that a program writes into a predicate or an expression, with null objects.
  package init(constant: Any?) { self.init(object: constant, depth: PredicateTree.maximumDepth, null: .nullObject) }

  /// - Parameter null: the value of `NSNull`.
  private init(object: Any?, depth: Int, null: PredicateValue) {
    guard depth > 0 else {
      raiseException("Collections more than \(PredicateTree.maximumDepth) levels deep in a predicate")
    }
    guard let object = object.flatMap(Self.unwrapped) else {
      self = .null
      return
    }
    if object is NSNull {
      self = null
    } else if let value = PredicateValue(simple: object) {
      self = value
    } else if let object = object as? any PredicateValueConvertible {
      self = object.predicateValue
    } else if let tree = Self.tree(of: object) {
      self = tree.argument
    } else if let values = Self.members(of: object) {
      self = .list(values.map { PredicateValue(object: $0, depth: depth - 1, null: null) })
    } else if let values = object as? [AnyHashable: Any] {
      let pairs = values.map {
        (String(describing: $0.key.base), PredicateValue(object: $0.value, depth: depth - 1, null: null))
      }
      self = .dictionary(Dictionary(pairs) { first, _ in first })
    } else {
      self = .object(PredicateObject(reflecting: object))
    }
  }

  private static func tree(of object: Any) -> ExpressionTree? {
    #if canImport(ObjectiveC)
      return nil
    #else
      return (object as? _NSExpression).map { _TreeExpression.content(of: $0).written }
    #endif
  }

  private init?(simple object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let text as Substring: self = .string(String(text))
    case let text as NSString: self = .string(text as String)
    case let character as Character: self = .string(String(character))
    case let number as NSNumber: self.init(number)
    case let number as any BinaryInteger:
      self = Int64(exactly: number).map(PredicateValue.integer) ?? .double(Double(number))
    case let number as any BinaryFloatingPoint: self = .double(Double(number))
    case let number as Decimal: self.init(NSDecimalNumber(decimal: number))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: self = .data(Array(data))
    case let data as NSData: self = .data(Array(data as Data))
    case let id as UUID: self = .object(PredicateObject(type: "NSUUID", parts: ["UUIDString": .string(id.uuidString)]))
    case let id as NSUUID:
      self = .object(PredicateObject(type: "NSUUID", parts: ["UUIDString": .string(id.uuidString)]))
    case let url as URL:
      self = .object(PredicateObject(type: "NSURL", parts: ["absoluteString": .string(url.absoluteString)]))
    case let url as NSURL:
      self = .object(PredicateObject(type: "NSURL", parts: ["absoluteString": .string((url as URL).absoluteString)]))
    default: return nil
    }
  }

  private init(_ number: NSNumber) {
    switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
    case "d", "f":
      self =
        (number as? NSDecimalNumber).map { PredicateValue(decimal: $0.stringValue) } ?? .double(number.doubleValue)
    case "Q": self = Int64(exactly: number.uint64Value).map(PredicateValue.integer) ?? .double(number.doubleValue)
    default: self = .integer(number.int64Value)
    }
  }

  private static func members(of object: Any) -> [Any]? {
    switch object {
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let array as NSArray: array.map { $0 }
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    default: nil
    }
  }

  /// The object inside any number of optionals; nil if one of them is nil.
  static func unwrapped(_ object: Any) -> Any? {
    let mirror = Mirror(reflecting: object)
    guard mirror.displayStyle == .optional else { return object }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }
}

extension [String: Any] {
  var predicateValues: [String: PredicateValue] { mapValues { PredicateValue(object: $0) } }
}

extension PredicateObject {
  /// Converts any other object. A class instance is equal to itself, another value to values with the same debug
  /// description. Its keys are its stored properties.
  fileprivate init(reflecting object: Any) {
    let subject = PredicateOrigin(object)
    let mirror = Mirror(reflecting: object)
    let name =
      mirror.displayStyle == .class || mirror.displayStyle == nil
      ? "\(UInt(bitPattern: ObjectIdentifier(object as AnyObject)))" : String(reflecting: object)
    self.init(
      type: String(describing: Swift.type(of: object)), parts: ["self": .string(name)], origin: subject
    ) { key in
      var mirror: Mirror? = Mirror(reflecting: subject.object)
      while let present = mirror {
        if let child = present.children.first(where: { $0.label == key }) { return PredicateValue(object: child.value) }
        mirror = present.superclassMirror
      }
      return nil
    }
  }
}

/// A class of a framework above this one that converts to a value of the language, or to an object with a lookup for
/// its keys.
package protocol PredicateValueConvertible {
  /// Called while a predicate is created or evaluated, on the app's own thread.
  var predicateValue: PredicateValue { get }
}

extension Decimal {
  /// The double nearest to the number. `doubleValue` of a decimal with many digits differs on Linux, because Foundation
  /// rounds at each digit there.
  package var nearestDouble: Double { isNaN ? .nan : Double(description) ?? .nan }
}
