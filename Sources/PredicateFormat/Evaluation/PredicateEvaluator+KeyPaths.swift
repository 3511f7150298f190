extension PredicateEvaluator {
  /// Follows a key path from a value. For a list, the result is the list of its members' values.
  mutating func value(
    of base: PredicateValue, at names: ArraySlice<String>
  ) throws(PredicateEvaluationError) -> PredicateValue {
    var value = base
    for (index, name) in zip(names.indices, names) {
      if name.hasPrefix("@") { return try collected(name, value, names[(index + 1)...]) }
      value = try self.value(of: value, forKey: name)
    }
    return value
  }

  private mutating func value(
    of base: PredicateValue, forKey key: String
  ) throws(PredicateEvaluationError) -> PredicateValue {
    if key == "self" || key == "SELF" { return base }
    try charge()
    switch base {
    case .null: return .null
    case .dictionary(let values): return values[key] ?? .null
    case .object(let object):
      if let value = object.value(forKey: key) { return value }
    case .list(let values):
      return try nested { (evaluator) throws(PredicateEvaluationError) in
        var members: [PredicateValue] = []
        members.reserveCapacity(values.count)
        for value in values { members.append(try evaluator.value(of: value, forKey: key)) }
        return .list(members)
      }
    case .string(let text):
      switch key {
      case "length": return .integer(Int64(text.utf16.count))
      case "uppercaseString": return .string(text.uppercased())
      case "lowercaseString": return .string(text.lowercased())
      default: break
      }
    case .data(let bytes) where key == "length": return .integer(Int64(bytes.count))
    default: break
    }
    throw PredicateEvaluationError(
      .key, "\(base.shortText) has no value for the key \(PredicatePrinter.quoted(String(key.prefix(80))))")
  }

  // MARK: Collection operators

  /// Evaluates `@count`, or a collection operator on the members' values for the rest of the path.
  private mutating func collected(
    _ name: String, _ value: PredicateValue, _ rest: ArraySlice<String>
  ) throws(PredicateEvaluationError) -> PredicateValue {
    if value == .null { return .null }
    guard let elements = value.elements else {
      throw PredicateEvaluationError(.collection, "\(name) needs a collection, not \(value.shortText)")
    }
    if name == "@count" { return try self.value(of: .integer(Int64(elements.count)), at: rest) }
    let functions: [String: PredicateFunction] = [
      "@sum": .sum, "@min": .minimum, "@max": .maximum, "@avg": .average,
    ]
    let function = functions[name]
    guard function != nil || Self.unions.contains(name) else {
      throw PredicateEvaluationError(.unsupported, "There is no collection operator \(name.prefix(80))")
    }
    let members: [PredicateValue] = try nested { (evaluator) throws(PredicateEvaluationError) in
      var members: [PredicateValue] = []
      for element in elements {
        try evaluator.charge()
        members.append(try evaluator.value(of: element, at: rest))
      }
      return members
    }
    if let function { return try statistic(function, members) }
    var united: [PredicateValue] = members.filter { $0 != .null }
    if !name.hasSuffix("OfObjects") {
      united = []
      for member in members where member != .null {
        guard let inner = member.elements else {
          throw PredicateEvaluationError(.collection, "\(name) needs collections, not \(member.shortText)")
        }
        try charge(inner.count)
        united += inner
      }
    }
    guard name.hasPrefix("@distinct") else { return .list(united) }
    var known: Set<PredicateValue> = []
    return .list(united.filter { known.insert(Numbers.canonical($0)).inserted })
  }

  private static let unions: Set<String> = [
    "@unionOfObjects", "@distinctUnionOfObjects", "@unionOfArrays", "@distinctUnionOfArrays", "@unionOfSets",
    "@distinctUnionOfSets",
  ]

  // MARK: Indexes

  mutating func element(
    _ base: PredicateValue, _ index: ExpressionTree.Index
  ) throws(PredicateEvaluationError) -> PredicateValue {
    if case .at(let position) = index { return try element(base, at: value(position)) }
    if base == .null { return .null }
    guard let elements = base.elements else {
      throw PredicateEvaluationError(.collection, "Only a collection has an index, not \(base.shortText)")
    }
    switch index {
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    default: return .integer(Int64(elements.count))
    }
  }

  /// The element of a list at an index, or the value of a dictionary for a key.
  func element(_ base: PredicateValue, at index: PredicateValue) throws(PredicateEvaluationError) -> PredicateValue {
    switch (base, index) {
    case (.null, _): return .null
    case (.dictionary(let values), .string(let key)): return values[key] ?? .null
    case (.list(let values), .integer(let index)):
      guard let index = Int(exactly: index), values.indices.contains(index) else {
        throw PredicateEvaluationError(.index, "The index \(index) is beyond the bounds of a list of \(values.count)")
      }
      return values[index]
    default:
      throw PredicateEvaluationError(.index, "\(base.shortText) has no place \(index.shortText)")
    }
  }
}
