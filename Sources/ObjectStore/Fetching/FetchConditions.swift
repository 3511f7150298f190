import LocalCloudPredicateFormat

/// The requirements of a predicate that must all hold and that an index may answer.
struct FetchConditions {
  /// By the property's name.
  private(set) var properties: [String: [PropertyCondition]] = [:]
  /// The numbers that the fetched objects may have; nil if they may have any.
  private(set) var numbers: Set<Int64>?
  private let store: String

  init(_ predicate: PredicateTree?, store: String) {
    self.store = store
    if let predicate { add(predicate) }
  }

  private mutating func add(_ predicate: PredicateTree) {
    switch predicate {
    case .and(let members): for member in members { add(member) }
    case .comparison(let comparison): add(comparison)
    case .constant, .or, .not: break
    }
  }

  private mutating func add(_ comparison: PredicateComparison) {
    guard comparison.modifier == nil, comparison.options == [] else { return }
    switch (comparison.left, comparison.right) {
    case (.subject, .constant(let value)): addSubject(comparison.comparator, value)
    case (.constant(let value), .subject) where comparison.comparator == .equal: addSubject(.equal, value)
    case (.keyPath(.subject, let names), .constant(let value)) where names.count == 1:
      add(names[0], comparison.comparator, value)
    case (.constant(let value), .keyPath(.subject, let names)) where names.count == 1:
      if let mirrored = comparison.comparator.mirrored { add(names[0], mirrored, value) }
    default: break
    }
  }

  private mutating func add(_ name: String, _ comparator: PredicateComparison.Operator, _ value: PredicateValue) {
    if name == "self" || name == "SELF" || name == "objectID" { return addSubject(comparator, value) }
    let condition: PropertyCondition? =
      switch (comparator, value) {
      case (.equal, _): .equal(value)
      // A comparison with nil is false, so an index does not help.
      case (_, .null): nil
      case (.less, _), (.lessOrEqual, _): .between(nil, value)
      case (.greater, _), (.greaterOrEqual, _): .between(value, nil)
      case (.between, .list(let bounds)) where bounds.count == 2 && !bounds.contains(.null):
        .between(bounds[0], bounds[1])
      case (.in, .list(let values)): .oneOf(values)
      case (.beginsWith, .string(let text)): .begins(text)
      default: nil
      }
    if let condition { properties[name, default: []].append(condition) }
  }

  private mutating func addSubject(_ comparator: PredicateComparison.Operator, _ value: PredicateValue) {
    let found: [PredicateValue]? =
      switch (comparator, value) {
      case (.equal, .object): [value]
      case (.in, .list(let values)): values
      default: nil
      }
    guard let found else { return }
    let numbers = Set(found.compactMap { number(of: $0) })
    self.numbers = self.numbers.map { $0.intersection(numbers) } ?? numbers
  }

  /// The number of an object of this store; nil for any other value.
  func number(of value: PredicateValue) -> Int64? {
    guard case .object(let object) = value, object.type == "NSManagedObject", object.parts["store"] == .string(store),
      case .integer(let number)? = object.parts["number"]
    else { return nil }
    return number
  }

  /// The numbers that the target of a to-one relationship may have; nil if it may have any number, or there may be no
  /// target.
  func targets(_ name: String) -> Set<Int64>? {
    for condition in properties[name] ?? [] {
      switch condition {
      case .equal(let value):
        if let number = number(of: value) { return [number] }
      case .oneOf(let values):
        let numbers = values.compactMap { number(of: $0) }
        if numbers.count == values.count { return Set(numbers) }
      case .between, .begins: break
      }
    }
    return nil
  }
}
