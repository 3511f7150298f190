import LocalCloudPredicateFormat
import LocalCloudStorage

/// How the index finds the objects of one entity that may match a fetch.
enum IndexSearch {
  /// By their own numbers.
  case objects(Set<Int64>)
  /// By the targets of a to-one relationship.
  case sources(Int, of: Set<Int64>)
  /// By ranges of an index's keys. They determine `depth` elements, all but the last one exactly.
  case keys(IndexLayout, [IndexRange], depth: Int, isExact: Bool)

  /// The numbers of the stored objects that may match, in order.
  func candidates(of entity: Int, _ view: StoreView) throws -> [Int64] {
    var found: Set<Int64> = []
    switch self {
    case .objects(let numbers): found = numbers
    case .sources(let relationship, let targets):
      for target in targets {
        let sources = try view.storedSources(of: relationship, to: target)
        found.formUnion(sources.lazy.filter { Int($0.id.entity) == entity }.map(\.id.number))
      }
    case .keys(let layout, let ranges, _, _):
      for range in ranges {
        try view.view.scan(prefix: layout.prefix(.value), from: range.lower) { key in
          if !key.starts(with: range.upper), ByteOrder.compare(key, range.upper) > 0 { return false }
          found.insert(key.lastNumber)
          return true
        }
      }
      try view.view.scan(prefix: layout.prefix(.unordered)) { key in
        found.insert(key.lastNumber)
        return true
      }
    }
    return found.sorted()
  }
}

/// The requirements of a predicate that must all hold and that an index may answer.
struct IndexConditions {
  /// By the property's name.
  private var properties: [String: [PropertyCondition]] = [:]
  /// The numbers that the fetched objects may have; nil if they may have any.
  private var numbers: Set<Int64>?
  private let store: String

  init(_ predicate: PredicateTree?, store: String) {
    self.store = store
    if let predicate { add(predicate) }
  }

  private mutating func add(_ predicate: PredicateTree) {
    switch predicate {
    case .and(let members): for member in members { add(member) }
    case .comparison(let comparison) where comparison.modifier == nil && comparison.options == []:
      switch (comparison.left, comparison.right) {
      case (.subject, .constant(let value)): addSubject(comparison.comparator, value)
      case (.constant(let value), .subject) where comparison.comparator == .equal: addSubject(.equal, value)
      case (.keyPath(.subject, let names), .constant(let value)) where names.count == 1:
        add(names[0], comparison.comparator, value)
      case (.constant(let value), .keyPath(.subject, let names)) where names.count == 1:
        if let mirrored = comparison.comparator.mirrored { add(names[0], mirrored, value) }
      default: break
      }
    case .constant, .or, .not, .comparison: break
    }
  }

  private mutating func add(_ name: String, _ comparator: PredicateComparison.Operator, _ value: PredicateValue) {
    if name == "self" || name == "SELF" || name == "objectID" { return addSubject(comparator, value) }
    let condition: PropertyCondition? =
      switch (comparator, value) {
      case (.equal, _): .oneOf([value])
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
    let found: [PredicateValue]
    switch (comparator, value) {
    case (.equal, .object): found = [value]
    case (.in, .list(let values)): found = values
    default: return
    }
    let numbers = Set(found.compactMap(number))
    self.numbers = self.numbers.map { $0.intersection(numbers) } ?? numbers
  }

  /// The number of an object of this store; nil for any other value.
  private func number(of value: PredicateValue) -> Int64? {
    guard case .object(let object) = value, object.type == "NSManagedObject", object.parts["store"] == .string(store),
      case .integer(let number)? = object.parts["number"]
    else { return nil }
    return number
  }

  /// The numbers that the target of a to-one relationship may have; nil if it may have any number, or there may be no
  /// target.
  private func targets(_ name: String) -> Set<Int64>? {
    for case .oneOf(let values) in properties[name] ?? [] {
      let numbers = values.compactMap(number)
      if numbers.count == values.count { return Set(numbers) }
    }
    return nil
  }

  // MARK: The search

  /// The search that leaves the fewest objects of an entity; nil if all have to be read.
  func search(of entity: Int, _ view: StoreView) -> IndexSearch? {
    if let numbers { return .objects(numbers) }
    var best: (search: IndexSearch, rank: (Int, Int))?
    for layout in view.folder.rowKeys.layouts[entity] {
      guard let found = search(layout), case .keys(_, _, let depth, let isExact) = found else { continue }
      let rank = (depth, isExact ? 1 : 0)
      if best.map({ $0.rank < rank }) ?? true { best = (found, rank) }
    }
    if best.map({ $0.rank.0 < 2 }) ?? true {
      for relationship in view.schema.entities[entity].toOnes {
        if let targets = targets(view.schema.relationships[relationship].name) {
          return .sources(relationship, of: targets)
        }
      }
    }
    return best?.search
  }

  /// Nil if no condition concerns the index's first element.
  private func search(_ layout: IndexLayout) -> IndexSearch? {
    var (found, depth, isExact) = ([IndexRange(layout.prefix(.value))], 0, true)
    for element in layout.elements {
      guard isExact, let (ranges, areExact) = ranges(element), !ranges.isEmpty || depth == 0,
        found.count * ranges.count <= 200
      else { break }
      found = found.flatMap { earlier in
        ranges.map { IndexRange(earlier.lower + $0.lower, earlier.upper + $0.upper) }
      }
      // A rounded value is a range, so no further index element can narrow the search behind it.
      isExact = areExact && ranges.allSatisfy { $0.lower == $0.upper }
      depth += 1
    }
    return depth > 0 ? .keys(layout, found, depth: depth, isExact: isExact) : nil
  }

  /// The ranges of an element, by its narrowest condition.
  private func ranges(_ element: IndexLayout.Element) -> (ranges: [IndexRange], isExact: Bool)? {
    var found: (ranges: [IndexRange], isExact: Bool)?
    switch element.part {
    case .toOne:
      found = targets(element.property).map { ($0.sorted().map { IndexRange(IndexedValue.bytes($0)) }, true) }
    case .attribute(_, let type):
      let usable = (properties[element.property] ?? []).compactMap { condition in
        condition.ranges(type).map { (ranges: $0, isExact: condition.isExact) }
      }
      let joined = IndexRange.intersection(usable.compactMap(\.ranges.first)).map { ([$0], false) }
      found = usable.first(where: \.isExact) ?? joined
    }
    return found.map { (element.isAscending ? $0.ranges : $0.ranges.map(\.reversed), $0.isExact) }
  }
}
