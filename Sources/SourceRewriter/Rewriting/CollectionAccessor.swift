/// One of the methods that Core Data makes for a to-many relationship, recognized by its name and parameters.
///
/// - Assumption: Without an Objective-C name `addToDos(_:)` adds to `dos`, as Xcode names these methods, unless the
///   class has a property `toDos`.
struct CollectionAccessor {
  /// The call of module CoreData's method.
  private(set) var body: String

  /// The form of the objects that a method adds or removes.
  private enum Form {
    case object, set, orderedSet, array, index, indexes
  }

  /// `selector`: the Objective-C name, if the declaration gives one.
  init?(name: String, parameters: [Member.Parameter], selector: String?, properties: Set<String>) {
    guard let pattern = Self.pattern(name, parameters, selector, properties) else { return nil }
    let key = Rewriter.literal(pattern.key)
    let arguments = parameters.map { (form: Self.form($0.type), value: Self.value($0)) }
    guard let first = arguments.first, arguments.count <= 2 else { return nil }
    let second = arguments.count == 2 ? arguments[1] : nil
    switch (pattern.verb, first.form, second?.form) {
    case ("add", .object, nil): body = "_addObject(\(first.value), to: \(key))"
    case ("add", .set, nil): body = "_addObjects(\(first.value), to: \(key))"
    case ("add", .orderedSet, nil): body = "_addOrderedObjects(\(first.value), to: \(key))"
    case ("remove", .object, nil): body = "_removeObject(\(first.value), from: \(key))"
    case ("remove", .set, nil): body = "_removeObjects(\(first.value), from: \(key))"
    case ("remove", .orderedSet, nil): body = "_removeOrderedObjects(\(first.value), from: \(key))"
    case ("remove", .index, nil): body = "_removeObject(from: \(key), at: \(first.value))"
    case ("remove", .indexes, nil): body = "_removeObjects(from: \(key), at: \(first.value))"
    case ("insert", .object, .index): body = "_insertObject(\(first.value), into: \(key), at: \(arguments[1].value))"
    case ("insert", .array, .indexes): body = "_insertObjects(\(first.value), into: \(key), at: \(arguments[1].value))"
    case ("replace", .index, .object):
      body = "_replaceObject(in: \(key), at: \(first.value), with: \(arguments[1].value))"
    case ("replace", .indexes, .array):
      body = "_replaceObjects(in: \(key), at: \(first.value), with: \(arguments[1].value))"
    default: return nil
    }
  }

  // MARK: Names

  private struct Pattern {
    var verb: String
    var key: String
  }

  /// The parts before and after the relationship's name in the Objective-C names, longest first.
  private static let selectors: [(verb: String, before: String, after: String)] = [
    ("insert", "insertObject:in", "AtIndex:"), ("insert", "insert", ":atIndexes:"),
    ("remove", "removeObjectFrom", "AtIndex:"), ("remove", "remove", "AtIndexes:"),
    ("replace", "replaceObjectIn", "AtIndex:withObject:"), ("replace", "replace", "AtIndexes:with#:"),
    ("add", "add", "Object:"), ("remove", "remove", "Object:"), ("add", "add", ":"), ("remove", "remove", ":"),
  ]

  /// The same for names in Swift, with the labels that distinguish methods of the same name.
  private static let names: [(verb: String, before: String, after: String, labels: [String]?)] = [
    ("add", "addTo", "", ["_"]), ("remove", "removeFrom", "", ["_"]), ("remove", "removeFrom", "", ["at"]),
    ("insert", "insertInto", "", ["_", "at"]), ("replace", "replace", "", ["at", "with"]),
    ("add", "add", "Object", nil), ("remove", "remove", "Object", nil), ("add", "add", "", nil),
    ("remove", "remove", "", nil),
  ]

  private static func pattern(
    _ name: String, _ parameters: [Member.Parameter], _ selector: String?, _ properties: Set<String>
  ) -> Pattern? {
    var found: [Pattern] = []
    if let selector {
      found = selectors.compactMap { verb, before, after in
        guard let hash = after.firstIndex(of: "#") else {
          return key(in: selector, before, after).map { Pattern(verb: verb, key: $0) }
        }
        // `replaceItemsAtIndexes:withItems:` has the name twice.
        let middle = String(after[..<hash])
        guard let end = selector.firstRange(of: middle)?.lowerBound,
          let key = key(in: String(selector[..<end]), before, ""),
          selector == before + capitalized(key) + middle + capitalized(key) + ":"
        else { return nil }
        return Pattern(verb: verb, key: key)
      }
    } else {
      let labels = parameters.map(\.label)
      found = names.compactMap { verb, before, after, own in
        own == nil || labels == own ? key(in: name, before, after).map { Pattern(verb: verb, key: $0) } : nil
      }
    }
    return found.first { properties.contains($0.key) } ?? found.first
  }

  private static func key(in text: String, _ before: String, _ after: String) -> String? {
    guard text.hasPrefix(before), text.hasSuffix(after), text.count > before.count + after.count else { return nil }
    let name = String(text.dropFirst(before.count).dropLast(after.count))
    return name.first?.isUppercase == true && !name.contains(":") ? decapitalized(name) : nil
  }

  static func decapitalized(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  // MARK: Parameters

  private static func form(_ type: String) -> Form {
    let name = type.hasPrefix("Foundation.") ? String(type.dropFirst(11)) : type
    switch name {
    case "NSSet": return .set
    case "NSOrderedSet": return .orderedSet
    case "Int": return .index
    case "NSIndexSet", "IndexSet": return .indexes
    default: return name.hasPrefix("Set<") ? .set : name.hasPrefix("[") || name.hasPrefix("Array<") ? .array : .object
    }
  }

  private static func value(_ parameter: Member.Parameter) -> String {
    if parameter.type.hasPrefix("Set<") { return "\(parameter.name) as NSSet" }
    return parameter.type == "IndexSet" ? "\(parameter.name) as NSIndexSet" : parameter.name
  }
}
