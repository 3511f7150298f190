import Foundation
import PredicateFormat

#if !canImport(ObjectiveC)
  /// The names of Foundation's comparisons, as ``_ExpressionNames`` has those of expressions.
  public protocol _ComparisonNames {
    associatedtype Comparison: NSPredicate
    associatedtype Modifier
    associatedtype Operator
    associatedtype Options
    /// The class of comparisons.
    static var comparison: Comparison? { get }
    /// How a comparison counts related objects.
    static var modifier: Modifier? { get }
    /// The operator of a comparison.
    static var comparator: Operator? { get }
    /// How texts are compared.
    static var options: Options? { get }
  }

  /// Foundation's names on Linux.
  public enum _LinuxComparisonNames: _ComparisonNames {
    /// The class of comparisons.
    @available(*, deprecated)
    public static var comparison: NSComparisonPredicate? { nil }
    /// How a comparison counts related objects.
    @available(*, deprecated)
    public static var modifier: NSComparisonPredicate.Modifier? { nil }
    /// The operator of a comparison.
    @available(*, deprecated)
    public static var comparator: NSComparisonPredicate.Operator? { nil }
    /// How texts are compared.
    @available(*, deprecated)
    public static var options: NSComparisonPredicate.Options? { nil }
  }

  /// Foundation's class, by a name that is not deprecated on Linux.
  public typealias _NSComparisonPredicate = _LinuxComparisonNames.Comparison

  /// The class of all comparisons: one of Foundation's, which adds nothing to a predicate.
  private final class TreeComparison: _NSComparisonPredicate {}

  extension PredicateComparison {
    fileprivate static let operators: [Operator] = [
      .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .matches, .like, .beginsWith, .endsWith, .in,
      .contains, .between,
    ]

    /// See _TreeExpression.make: the initializer that Foundation has for comparisons stops the process. An object that
    /// becomes one of another class here has the properties of that class, which are those of NSPredicate.
    func predicate() -> _NSComparisonPredicate {
      let predicate = Unmanaged.passRetained(NSPredicate(tree: .comparison(self))).toOpaque()
      predicate.storeBytes(of: unsafeBitCast(TreeComparison.self as AnyClass, to: UInt.self), as: UInt.self)
      return Unmanaged<_NSComparisonPredicate>.fromOpaque(predicate).takeRetainedValue()
    }
  }

  extension NSCopying where Self: _NSComparisonPredicate {
    /// Makes a predicate that compares the values of two expressions.
    ///
    /// - Difference: on Linux the compiler warns where the name `NSComparisonPredicate` is written, as Foundation marks it
    ///   as deprecated there. A copy is an `NSPredicate`, and one made from a format is none of these. There are no custom
    ///   selectors.
    public init(
      leftExpression lhs: _NSExpression, rightExpression rhs: _NSExpression, modifier: _LinuxComparisonNames.Modifier,
      type: _LinuxComparisonNames.Operator, options: _LinuxComparisonNames.Options
    ) {
      let comparison = PredicateComparison(
        modifier: modifier == .any ? .any : modifier == .all ? .all : nil, _TreeExpression.content(of: lhs).tree,
        PredicateComparison.operators[Int(type.rawValue)],
        options: PredicateComparison.Options(rawValue: UInt8(options.rawValue & 7)),
        _TreeExpression.content(of: rhs).tree)
      self = unsafeDowncast(comparison.predicate(), to: Self.self)
    }

    /// What stands before the operator.
    public var leftExpression: _NSExpression { _TreeExpression.make(comparison.left) }
    /// What stands behind the operator.
    public var rightExpression: _NSExpression { _TreeExpression.make(comparison.right) }

    /// Whether one, or each, of several values on the left is compared.
    public var comparisonPredicateModifier: _LinuxComparisonNames.Modifier {
      switch comparison.modifier {
      case .any?: .any
      case .all?: .all
      default: .direct
      }
    }

    /// The operator.
    public var predicateOperatorType: _LinuxComparisonNames.Operator {
      let place = PredicateComparison.operators.firstIndex(of: comparison.comparator) ?? 0
      return _LinuxComparisonNames.Operator(rawValue: UInt(place)) ?? .equalTo
    }

    /// How texts are compared.
    public var options: _LinuxComparisonNames.Options {
      _LinuxComparisonNames.Options(rawValue: UInt(comparison.options.rawValue))
    }

    private var comparison: PredicateComparison {
      guard case .comparison(let comparison)? = tree else {
        raiseException("An NSComparisonPredicate that was made without its initializer")
      }
      return comparison
    }
  }
#endif
