import Foundation
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  /// The root type of key paths that carry a name and the order of texts: applying `\SortProbe[name, order]` to a probe
  /// returns both.
  package struct SortProbe {
    /// The key and the order of texts.
    package struct Content {
      package var name: String
      package var textOrder: TextOrder
    }

    package init() {}

    package subscript(name: String, textOrder: TextOrder) -> Content { Content(name: name, textOrder: textOrder) }
  }

  extension NSSortDescriptor {
    /// Sorts by the value for a key; without a key by the objects themselves.
    ///
    /// - Difference: on Linux ``compare(_:to:)`` finds values in dictionaries, in CloudKit's records, in objects of
    ///   Core Data, and in the stored properties of other objects, because there is no key-value coding.
    public convenience init(key: String?, ascending: Bool) {
      self.init(key: key, ascending: ascending, textOrder: .plain)
    }

    /// Sorts by the value for a key, and sorts texts in the given order.
    package convenience init(key: String?, ascending: Bool, textOrder: TextOrder) {
      self.init(
        keyPath: \SortProbe[key ?? "", textOrder], ascending: ascending, comparator: { ValueOrder.compare($0, $1) })
      become(_PropertySortDescriptor.self)
    }

    /// Sorts by the value at a key path. It may be of any type: an optional, a Boolean, or an object.
    ///
    /// Comparing values without an order stops the process; Apple's framework raises an exception.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
      self.init(keyPath: keyPath, ascending: ascending, comparator: { ValueOrder.compare($0, $1) })
      become(_PropertySortDescriptor.self)
    }

    /// Changes a descriptor of Foundation's class to another class without stored properties.
    package final func become(_ type: _PropertySortDescriptor.Type) {
      guard Swift.type(of: self) == NSSortDescriptor.self || self is _PropertySortDescriptor else { return }
      // An initializer in an extension makes an object of the class that the program names.
      ObjectClass.set(type, of: self)
    }
  }

  /// The class of sort descriptors that sort by a key or a key path. Its subclasses have no stored properties.
  open class _PropertySortDescriptor: NSSortDescriptor {
    /// The key that the descriptor was made with, or the name of the property at its key path; nil if there is none.
    open var _propertyName: String? { name }

    /// Whether both sort by the same key, or the same key path, in the same direction.
    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? _PropertySortDescriptor else { return false }
      if self === other { return true }
      guard ascending == other.ascending, textOrder == other.textOrder else { return false }
      return keyPath == other.keyPath || _propertyName.map { $0 == other._propertyName } ?? false
    }

    /// A hash value that is equal for equal descriptors.
    open override var hash: Int {
      var hasher = Hasher()
      hasher.combine(ascending)
      if let _propertyName { hasher.combine(_propertyName) } else { hasher.combine(keyPath) }
      return hasher.finalize()
    }

    /// The key, the direction and the method, as Apple's framework prints them.
    open override var description: String {
      "(\(_propertyName ?? (content == nil ? "\(keyPath)" : "null")), \(ascending ? "ascending" : "descending"), \(textOrder.rawValue))"
    }

    /// The order of two objects.
    open override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
      guard let content else { return super.compare(object1, to: object2) }
      let path = content.name.split(separator: ".").map(String.init)
      let order = ValueOrder.compare(
        ValueOrder.value(of: object1, path), ValueOrder.value(of: object2, path), content.textOrder)
      return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? order
    }

    /// The descriptor for the reverse order.
    open override var reversedSortDescriptor: Any {
      let reversed = super.reversedSortDescriptor
      (reversed as? NSSortDescriptor)?.become(type(of: self))
      return reversed
    }
  }

  /// A protocol for all sort descriptors that declares ``key``.
  ///
  /// The class itself cannot declare it: Foundation on Linux declares an unavailable `key` of the same type there, and
  /// with both declarations the compiler fails while it optimizes a program that uses a subclass from another module.
  public protocol _KeyedSortDescriptor: NSSortDescriptor {}

  extension NSSortDescriptor: _KeyedSortDescriptor {}

  extension _KeyedSortDescriptor {
    /// The key of the sorted value; nil if the descriptor was created with a key path that leads to no property of an
    /// entity.
    public var key: String? { (self as? _PropertySortDescriptor)?._propertyName ?? name }

    /// The order of texts.
    package var textOrder: TextOrder { content?.textOrder ?? .plain }

    fileprivate var name: String? { content.flatMap { $0.name.isEmpty ? nil : $0.name } }

    fileprivate var content: SortProbe.Content? {
      (keyPath as? KeyPath<SortProbe, SortProbe.Content>).map { SortProbe()[keyPath: $0] }
    }
  }

  /// The order of values of any type in sort descriptors: nil is first.
  private enum ValueOrder {
    static func compare(_ left: Any, _ right: Any, _ textOrder: TextOrder = .plain) -> ComparisonResult {
      let (first, second) = (PredicateValue(object: left), PredicateValue(object: right))
      if first == .null || second == .null {
        return first == second ? .orderedSame : first == .null ? .orderedAscending : .orderedDescending
      }
      if case .string(let one) = first, case .string(let other) = second, textOrder != .plain {
        let (first, second) = (textOrder.key(of: one), textOrder.key(of: other))
        return first < second ? .orderedAscending : first == second ? .orderedSame : .orderedDescending
      }
      if let order = order(first, second) { return order }
      if let left = PredicateValue.unwrapped(left) as? any Comparable, let right = PredicateValue.unwrapped(right),
        let order = order(left, right)
      {
        return order
      }
      raiseException(
        "-[\(type(of: left)) compare:]: unrecognized selector sent to instance (comparing it with \(right))")
    }

    /// The value at a key path, the object itself if the path is empty.
    static func value(of object: Any, _ path: [String]) -> Any {
      guard !path.isEmpty else { return object }
      var evaluator = PredicateEvaluator.fetching(.constant(true))
      do throws(PredicateEvaluationError) {
        return try evaluator.value(of: .keyPath(.subject, path), for: PredicateValue(object: object)).object as Any
      } catch {
        raiseException(error.message)
      }
    }

    /// Nil for values that the predicate language does not order.
    private static func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult? {
      func holds(_ comparator: PredicateComparison.Operator) -> Bool? {
        var evaluator = PredicateEvaluator(
          .comparison(PredicateComparison(.constant(left), comparator, .constant(right))))
        return try? evaluator.matches(.null)
      }
      guard let isLess = holds(.less), let isGreater = holds(.greater) else { return nil }
      return isLess ? .orderedAscending : isGreater ? .orderedDescending : .orderedSame
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Any) -> ComparisonResult? {
      guard let right = right as? Value else { return nil }
      return left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
    }
  }
#endif
