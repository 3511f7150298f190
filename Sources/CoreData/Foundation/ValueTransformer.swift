// Foundation has no value transformers on Linux.
#if !canImport(ObjectiveC)
  import Foundation
  import Synchronization

  /// The name of a value transformer.
  public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as a text.
    public let rawValue: String

    /// The name of that text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of that text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// True if a value is nil.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")

    /// True if a value is not nil.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")

    /// The opposite of a truth value.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")

    /// The object in secure archives of the usual classes, and back.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")

    /// - Difference: the same as ``secureUnarchiveFromDataTransformerName``; an archive is not read without the classes
    ///   that it may hold.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")

    /// - Difference: the same as ``secureUnarchiveFromDataTransformerName``; an archive is not read without the classes
    ///   that it may hold.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
  }

  /// Makes other values of values.
  ///
  /// For transformable attributes of Core Data, the transformed value is the object and the original one its data in a
  /// subclass of ``NSSecureUnarchiveFromDataTransformer``; in any other class it is the other way round.
  ///
  /// - Difference: a class is registered by its objects; a transformer whose name is only that of a class is found if
  ///   the name has the class's module.
  open class ValueTransformer: NSObject {
    /// Makes a transformer.
    public required override init() { super.init() }

    // MARK: Names

    // Sendable: a transformer has no state that changes, as its registration for all threads demands of it.
    private struct Registered: @unchecked Sendable {
      var transformers: [NSValueTransformerName: ValueTransformer] = [:]
    }

    private static let registered = Mutex(Registered())

    /// Registers a transformer by a name; nil removes what was registered.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
      let change = Registered(transformers: transformer.map { [name: $0] } ?? [:])
      registered.withLock { $0.transformers[name] = change.transformers[name] }
    }

    /// The names of all transformers that are registered.
    @discardableResult
    open class func valueTransformerNames() -> [NSValueTransformerName] {
      registered.withLock { $0 }.transformers.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// The transformer that is registered by a name, or one of the class of that name; nil if there is none.
    final class func transformer(named name: NSValueTransformerName) -> ValueTransformer? {
      if let found = registered.withLock({ $0 }).transformers[name] { return found }
      switch name {
      case .isNilTransformerName: return NilTransformer(isNil: true)
      case .isNotNilTransformerName: return NilTransformer(isNil: false)
      case .negateBooleanTransformerName: return NegationTransformer()
      case .secureUnarchiveFromDataTransformerName, .unarchiveFromDataTransformerName,
        .keyedUnarchiveFromDataTransformerName:
        return NSSecureUnarchiveFromDataTransformer()
      default: return (ManagedObjectClasses.type(named: name.rawValue) as? ValueTransformer.Type)?.init()
      }
    }

    // MARK: What subclasses override

    /// The class of the transformed values.
    @discardableResult
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether transformed values can be transformed back.
    @discardableResult
    open class func allowsReverseTransformation() -> Bool { true }

    /// Makes the other value; here, the value itself.
    @discardableResult
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Makes the original value of a transformed one. Stops the process if the class does not allow that; here, the
    /// value is transformed once more.
    @discardableResult
    open func reverseTransformedValue(_ value: Any?) -> Any? {
      guard Self.allowsReverseTransformation() else {
        raiseException("\(type(of: self)) does not support reverse transformations")
      }
      return transformedValue(value)
    }
  }

  /// Lets an initializer give an object that there is already, which only one of a protocol can.
  public protocol _NamedValueTransformer {}

  extension ValueTransformer: _NamedValueTransformer {}

  extension _NamedValueTransformer {
    /// Finds the transformer that is registered by a name, or makes one of the class of that name. Nil if there is none.
    ///
    /// - Difference: for a name of a class the transformer is made anew each time, unless one was registered.
    public init?(forName name: NSValueTransformerName) {
      guard let found = ValueTransformer.transformer(named: name) as? Self else { return nil }
      self = found
    }
  }
#endif
