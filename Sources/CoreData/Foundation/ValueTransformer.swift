// Foundation has no value transformers on Linux.
#if !canImport(ObjectiveC)
  import Foundation
  import Synchronization

  /// The name of a value transformer.
  public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as a text.
    public let rawValue: String

    /// Creates the name from a text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the name from a text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// True if a value is nil.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")

    /// True if a value is not nil.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")

    /// Negates a Boolean.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")

    /// The object in secure archives of the usual classes, and back.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")

    /// - Difference: the same as ``secureUnarchiveFromDataTransformerName``; an archive is read only with a list of its
    ///   allowed classes.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")

    /// - Difference: the same as ``secureUnarchiveFromDataTransformerName``; an archive is read only with a list of its
    ///   allowed classes.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
  }

  /// Converts values to other values, and back.
  ///
  /// For transformable attributes of Core Data, the transformed value is the object and the original one its data in a
  /// subclass of ``NSSecureUnarchiveFromDataTransformer``; in any other class it is the reverse.
  ///
  /// - Difference: a class is registered by its objects; a transformer named only by its class is found if the name has
  ///   the class's module.
  open class ValueTransformer: NSObject {
    /// Creates a transformer.
    public required override init() { super.init() }

    // MARK: Names

    // Sendable: a transformer has no mutable state; registering it for all threads requires that.
    private struct Registered: @unchecked Sendable {
      var transformers: [NSValueTransformerName: ValueTransformer] = [:]
    }

    private static let registered = Mutex(Registered())

    /// Registers a transformer by a name; nil removes the registration.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
      let change = Registered(transformers: transformer.map { [name: $0] } ?? [:])
      registered.withLock { $0.transformers[name] = change.transformers[name] }
    }

    /// The names of all registered transformers.
    @discardableResult
    open class func valueTransformerNames() -> [NSValueTransformerName] {
      registered.withLock { $0 }.transformers.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// The transformer registered under a name, or a new one of the class of that name; nil if there is none.
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

    // MARK: Methods to override

    /// The class of the transformed values.
    @discardableResult
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether transformed values can be transformed back.
    @discardableResult
    open class func allowsReverseTransformation() -> Bool { true }

    /// Transforms a value; here, returns it unchanged.
    @discardableResult
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Transforms a value back. Stops the process if the class does not allow that; here, the value is transformed once
    /// more.
    @discardableResult
    open func reverseTransformedValue(_ value: Any?) -> Any? {
      guard Self.allowsReverseTransformation() else {
        raiseException("\(type(of: self)) does not support reverse transformations")
      }
      return transformedValue(value)
    }
  }

  /// Allows an initializer to return an existing object; only a protocol's extension can do that.
  public protocol _NamedValueTransformer {}

  extension ValueTransformer: _NamedValueTransformer {}

  extension _NamedValueTransformer {
    /// Finds the transformer registered under a name, or creates one of the class of that name. Nil if there is none.
    ///
    /// - Difference: for a name of a class a new transformer is created each time, unless one was registered.
    public init?(forName name: NSValueTransformerName) {
      guard let found = ValueTransformer.transformer(named: name) as? Self else { return nil }
      self = found
    }
  }

  // MARK: The transformers with a name

  /// Returns whether a value is nil, or whether it is not nil.
  final class NilTransformer: ValueTransformer {
    private let isNil: Bool

    init(isNil: Bool) { self.isNil = isNil }

    required init() { isNil = true }

    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? { ((value == nil || value is NSNull) == isNil) as NSNumber }
  }

  /// Negates a Boolean.
  final class NegationTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? { !((value as? NSNumber)?.boolValue ?? false) as NSNumber }
  }
#endif
