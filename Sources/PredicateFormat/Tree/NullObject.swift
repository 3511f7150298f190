/// The object that stands for nil in collections, `NSNull`, as a constant of a predicate.
///
/// Such a constant is described as `<null>`, and nil as `nil`. Nothing else tells them apart: trees are evaluated, compared
/// and stored without null objects.
extension PredicateValue {
  package static let nullObject = PredicateValue.object(PredicateObject(type: "NSNull", parts: [:]))

  /// The value with nil instead of null objects.
  fileprivate var withoutNullObjects: PredicateValue {
    switch self {
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
