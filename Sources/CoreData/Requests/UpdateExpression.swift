import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// An attribute's new value in a batch update, computed for each object.
struct UpdateExpression {
  let attribute: NSAttributeDescription
  private let tree: ExpressionTree
  /// The attribute with the value to copy unchanged: of the same type, so that no digit and no transformed value is
  /// lost.
  private let source: String?

  /// Stops the process for an expression that stores can't evaluate; Apple's framework raises an exception.
  init(_ expression: _NSExpression, _ attribute: NSAttributeDescription, of entity: NSEntityDescription) {
    guard let tree = ExpressionTree(expression) else {
      raiseException("Invalid expression (\(expression)) passed to propertiesToUpdate")
    }
    self.attribute = attribute
    self.tree = StorePredicate.tree(tree, of: entity, "propertiesToUpdate")
    if case .keyPath(.subject, let names) = tree, names.count == 1,
      let other = entity.attributesByName[names[0]], other.type == attribute.type,
      other.valueTransformerName == attribute.valueTransformerName
    {
      source = other.name
    } else {
      source = nil
    }
  }

  /// The value, computed from a row before the update. Throws ``NSCoreDataError`` if the attribute can't have it.
  func value(_ row: StoredRow, _ schema: StoreSchema, _ expressions: inout RowExpressions) throws -> StoredValue {
    if let source, let index = schema.entities[Int(row.id.entity)].attributes.firstIndex(where: { $0.name == source }) {
      return row.attributes[index]
    }
    let value = try expressions.value(of: tree, for: row)
    guard let stored = stored(value) else {
      throw CoreDataError.error(
        NSCoreDataError,
        reason:
          "The expression \((try? tree.format) ?? "") has a value that the attribute '\(attribute.name)' can't have: "
          + "\(value.object.map { "\($0)" } ?? "an object").")
    }
    return stored
  }

  private func stored(_ value: PredicateValue) -> StoredValue? {
    switch (attribute.type, value) {
    case (_, .null): return .null
    case (.integer16, _): return whole(value, within: Int64(Int16.min)...Int64(Int16.max))
    case (.integer32, _): return whole(value, within: Int64(Int32.min)...Int64(Int32.max))
    case (.integer64, _): return whole(value, within: Int64.min...Int64.max)
    case (.boolean, _): return number(value).map { .boolean($0 != 0) }
    case (.double, _): return number(value).map { .double($0) }
    case (.float, _): return number(value).map { Float($0) }.flatMap { $0.isFinite ? .double(Double($0)) : nil }
    case (.decimal, .integer(let number)): return .decimal(String(number))
    // The shortest digits that identify the number, not those of its binary form.
    case (.decimal, _): return number(value).flatMap { Decimal(string: "\($0)") }.map { .decimal($0.description) }
    case (.date, _): return number(value).map { .date($0) }
    case (.string, .string(let text)): return .string(text)
    case (.binaryData, .data(let bytes)): return .binary(bytes)
    case (.uuid, .object), (.uri, .object): return value.object.flatMap { StoredValue($0, as: attribute.type) }
    default: return nil
    }
  }

  /// Stores represent dates as numbers of seconds.
  private func number(_ value: PredicateValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number), .date(let number): number.isFinite ? number : nil
    default: nil
    }
  }

  private func whole(_ value: PredicateValue, within range: ClosedRange<Int64>) -> StoredValue? {
    let whole: Int64? =
      if case .integer(let number) = value { number } else {
        number(value).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
      }
    return whole.flatMap { range.contains($0) ? .integer($0) : nil }
  }
}
