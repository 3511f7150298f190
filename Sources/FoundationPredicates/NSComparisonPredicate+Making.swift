import Foundation
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  /// The names of Foundation's comparison types, like ``_ExpressionNames`` for expressions.
  public protocol _ComparisonNames {
    associatedtype Comparison: NSPredicate
    associatedtype Modifier
    associatedtype Operator
    associatedtype Options
    /// The class of comparisons.
    static var comparison: Comparison? { get }
    /// The quantifier for several values on the left.
    static var modifier: Modifier? { get }
    /// The operator of a comparison.
    static var comparator: Operator? { get }
    /// The options for comparing texts.
    static var options: Options? { get }
  }

  /// Foundation's names on Linux.
  public enum _LinuxComparisonNames: _ComparisonNames {
    /// The class of comparisons.
    @available(*, deprecated)
    public static var comparison: NSComparisonPredicate? { nil }
    /// The quantifier for several values on the left.
    @available(*, deprecated)
    public static var modifier: NSComparisonPredicate.Modifier? { nil }
    /// The operator of a comparison.
    @available(*, deprecated)
    public static var comparator: NSComparisonPredicate.Operator? { nil }
    /// The options for comparing texts.
    @available(*, deprecated)
    public static var options: NSComparisonPredicate.Options? { nil }
  }

  /// Foundation's class, by a name that is not deprecated on Linux.
  public typealias _NSComparisonPredicate = _LinuxComparisonNames.Comparison

  // Declared in the file of its superclass's type alias: the compiler does not resolve the alias from another file in
  // time.
  /// The class of comparisons: a subclass of Foundation's, without stored properties beyond those of a predicate.
  final class FormatComparison: _NSComparisonPredicate {
    /// Returns itself, because it never changes.
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { isAlike(object) }
    override var hash: Int { tree?.hashValue ?? 0 }
    override var description: String { format ?? super.description }
    override var predicateFormat: String { format ?? super.description }
  }

  extension PredicateComparison {
    fileprivate static let operators: [Operator] = [
      .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .matches, .like, .beginsWith, .endsWith, .in,
      .contains, .between,
    ]
  }

  extension NSCopying where Self: _NSComparisonPredicate {
    /// Creates a predicate that compares the values of two expressions.
    ///
    /// - Difference: on Linux the compiler warns about the name `NSComparisonPredicate`, because Foundation marks it as
    ///   deprecated there. There are no custom selectors. A subclass may have convenience initializers that call this
    ///   one, and no stored properties.
    public init(
      leftExpression lhs: _NSExpression, rightExpression rhs: _NSExpression, modifier: _LinuxComparisonNames.Modifier,
      type: _LinuxComparisonNames.Operator, options: _LinuxComparisonNames.Options = []
    ) {
      let comparison = PredicateComparison(
        modifier: modifier == .any ? .any : modifier == .all ? .all : nil, _TreeExpression.content(of: lhs).written,
        PredicateComparison.operators[Int(type.rawValue)],
        options: PredicateComparison.Options(rawValue: UInt8(options.rawValue & 7)),
        _TreeExpression.content(of: rhs).written)
      self = ObjectClass.instance(of: Self.self, .comparison(comparison))
    }

    /// The expression before the operator.
    public var leftExpression: _NSExpression { _TreeExpression.make(comparison.left) }
    /// The expression after the operator.
    public var rightExpression: _NSExpression { _TreeExpression.make(comparison.right) }

    /// Whether the comparison has to be true for one, or for each, of several values on the left.
    public var comparisonPredicateModifier: _LinuxComparisonNames.Modifier {
      switch comparison.modifier {
      case .any?: .any
      case .all?: .all
      default: .direct
      }
    }

    /// The operator.
    public var predicateOperatorType: _LinuxComparisonNames.Operator {
      let index = PredicateComparison.operators.firstIndex(of: comparison.comparator) ?? 0
      return _LinuxComparisonNames.Operator(rawValue: UInt(index)) ?? .equalTo
    }

    /// The options for comparing texts.
    public var options: _LinuxComparisonNames.Options {
      _LinuxComparisonNames.Options(rawValue: UInt(comparison.options.rawValue))
    }

    private var comparison: PredicateComparison {
      guard case .comparison(let comparison)? = writtenTree else {
        raiseException("An NSComparisonPredicate that was made without its initializer")
      }
      return comparison
    }
  }
#endif
