/// The object that stands for nil in collections, `NSNull`, as a constant of a predicate.
///
/// The constant is described as `<null>`, and nil as `nil`. This is the only difference: trees are evaluated, compared and
/// stored without null objects.
extension PredicateValue {
  package static let nullObject = PredicateValue.object(PredicateObject(type: "NSNull", parts: [:]))

  private var hasNullObject: Bool {
    switch self {
    case .object: self == Self.nullObject
    case .list(let values): values.contains(where: \.hasNullObject)
    case .dictionary(let values): values.values.contains(where: \.hasNullObject)
    default: false
    }
  }

  /// The value with nil instead of null objects. A value without null objects, which may be a long list, is not copied.
  fileprivate var withoutNullObjects: PredicateValue {
    guard hasNullObject else { return self }
    return switch self {
    case Self.nullObject: .null
    case .list(let values): .list(values.map(\.withoutNullObjects))
    case .dictionary(let values): .dictionary(values.mapValues(\.withoutNullObjects))
    default: self
    }
  }
}

extension ExpressionTree {
  /// The expression with nil instead of null objects.
  package var withoutNullObjects: ExpressionTree {
    if case .constant(let value) = self { return .constant(value.withoutNullObjects) }
    return mapParts(\.withoutNullObjects, \.withoutNullObjects)
  }
}

extension PredicateTree {
  /// The predicate with nil instead of null objects.
  package var withoutNullObjects: PredicateTree { mapParts(\.withoutNullObjects, \.withoutNullObjects) }
}
