import Foundation
import LocalCloudPredicateFormat

#if canImport(ObjectiveC)
  /// Foundation's class.
  public typealias _NSExpression = NSExpression

  extension ExpressionTree {
    /// The tree of an expression; nil for one that has no format.
    package init?(_ expression: _NSExpression) {
      guard let tree = try? ExpressionTree(format: expression.description) else { return nil }
      self = tree
    }
  }
#else
  /// The names of Foundation's expression types, without deprecation warnings: Foundation on Linux declares the class,
  /// and marks it as deprecated because it cannot create expressions.
  public protocol _ExpressionNames {
    associatedtype Expression: NSObject
    associatedtype Kind
    /// The class of expressions.
    static var expression: Expression? { get }
    /// The kinds of expressions.
    static var kind: Kind? { get }
  }

  /// Foundation's names on Linux.
  public enum _LinuxExpressionNames: _ExpressionNames {
    /// The class of expressions.
    @available(*, deprecated)
    public static var expression: NSExpression? { nil }
    /// The kinds of expressions.
    @available(*, deprecated)
    public static var kind: NSExpression.ExpressionType? { nil }
  }

  /// Foundation's class, by a name that is not deprecated on Linux.
  public typealias _NSExpression = _LinuxExpressionNames.Expression
  /// The kinds of expressions, by a name that is not deprecated on Linux.
  public typealias _NSExpressionType = _LinuxExpressionNames.Kind

  /// The content of an expression.
  final class ExpressionContent {
    /// The tree with null objects, for descriptions and for parts of other expressions.
    let written: ExpressionTree
    /// The tree that is evaluated and compared.
    let tree: ExpressionTree
    /// The value of a constant as the program gave it.
    let constant: Any?

    init(_ written: ExpressionTree, constant: Any?) {
      (self.written, self.constant) = (written, constant)
      tree = written.withoutNullObjects
    }
  }

  /// The class of all expressions: a subclass of Foundation's, with a content. Its subclasses have no stored
  /// properties.
  open class _TreeExpression: _NSExpression {
    fileprivate final var content: ExpressionContent? = nil

    /// Returns itself, because an expression never changes.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// True for the same expression.
    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? _TreeExpression else { return false }
      return self === other || content?.tree == other.content?.tree
    }

    /// A hash value that is equal for equal expressions.
    open override var hash: Int { content?.tree.hashValue ?? 0 }
    /// The expression in the format language.
    open override var description: String { (try? content?.written.format) ?? "nil" }
  }

  /// An object of the same layout as ``_TreeExpression``. It is created first, because Foundation's initializer of the
  /// superclass stops the process.
  private final class ExpressionForm: NSObject {
    final var content: ExpressionContent?

    init(_ content: ExpressionContent) {
      self.content = content
      super.init()
    }
  }

  extension _TreeExpression {
    /// Creates an expression. Stops the process for one that is too deep.
    ///
    /// - Parameter type: a program's subclass of Foundation's class, without stored properties; nil for this class.
    package static func make(
      _ tree: ExpressionTree, constant: Any? = nil, as type: _NSExpression.Type? = nil
    ) -> _NSExpression {
      guard tree.depth(within: PredicateTree.maximumDepth) != nil else {
        raiseException("An expression of more than \(PredicateTree.maximumDepth) levels")
      }
      // Both classes add one reference to NSObject, and neither NSObject nor Foundation's class has stored properties.
      // Therefore replacing the class reference, the first word of the object, converts one into the other. An object
      // of a program's subclass never releases its content.
      let object = ExpressionForm(ExpressionContent(tree, constant: constant))
      ObjectClass.set(type ?? kind(of: tree), of: object)
      return Unmanaged<_NSExpression>.fromOpaque(Unmanaged.passRetained(object).toOpaque()).takeRetainedValue()
    }

    private static func kind(of tree: ExpressionTree) -> AnyClass {
      if case .fetch = tree, let type = fetchType { return type }
      return _TreeExpression.self
    }

    /// Core Data's class, if the program has it.
    private static let fetchType = NSClassFromString("CoreData.NSFetchRequestExpression") as? _TreeExpression.Type

    /// The content of an expression. Stops the process for one that was not created here; there is no other way to
    /// create one.
    static func content(of expression: AnyObject) -> ExpressionContent {
      if let content = (expression as? _TreeExpression)?.content { return content }
      guard !(expression is _TreeExpression), expression is _NSExpression else {
        raiseException("An NSExpression that was made without one of its initializers")
      }
      // An object of a program's subclass: ``make(_:constant:as:)`` created it, because Foundation's initializers stop
      // the process.
      let content = Unmanaged.passUnretained(expression).toOpaque()
        .load(fromByteOffset: ObjectClass.size(of: _NSExpression.self), as: Unmanaged<ExpressionContent>.self)
      return content.takeUnretainedValue()
    }
  }

  extension _TreeExpression: PredicateValueConvertible {
    package var predicateValue: PredicateValue { Self.content(of: self).written.argument }
  }

  extension ExpressionTree {
    /// The tree of an expression.
    package init?(_ expression: _NSExpression) { self = _TreeExpression.content(of: expression).tree }
  }
#endif
