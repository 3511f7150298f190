import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// One of the values of a dictionary result.
struct ResultProperty {
  private enum Kind {
    case attribute(NSAttributeDescription, [String])
    case toOne([String])
    case computed(ExpressionTree, NSAttributeDescription.AttributeType)
  }

  /// The key in the dictionary.
  let name: String
  private let kind: Kind

  /// All properties of a request that names none.
  ///
  /// - Assumption: a fetch for dictionaries that names no properties fetches the attributes.
  static func all(of entity: NSEntityDescription) -> [ResultProperty] {
    entity.attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }.map {
      ResultProperty(name: $0.name, kind: .attribute($0, [$0.name]))
    }
  }

  private init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }

  /// A property, an expression's description, or the path to a property over relationships to one object. Stops the
  /// process for any other item; Apple's framework raises an exception that names the method.
  init(_ item: Any, of entity: NSEntityDescription, _ method: String) {
    switch item {
    case let description as NSExpressionDescription:
      guard let expression = description.expression, let tree = ExpressionTree(expression) else {
        raiseException("Invalid expression (\(description.name)) passed to \(method)")
      }
      self.init(
        name: description.name,
        kind: .computed(StorePredicate.tree(tree, of: entity, method), description.resultType))
    case let property as NSPropertyDescription: self.init(path: property.name, of: entity, method)
    case let name as String: self.init(path: name, of: entity, method)
    default: raiseException("Invalid object (\(item)) passed to \(method)")
    }
  }

  private init(path: String, of entity: NSEntityDescription, _ method: String) {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var holder: NSEntityDescription? = entity
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      switch holder?.propertiesByName[name] {
      case let attribute as NSAttributeDescription where isLast && !attribute.isTransient:
        self.init(name: path, kind: .attribute(attribute, names))
        return
      case let relationship as NSRelationshipDescription:
        guard !relationship.isToMany else {
          raiseException("Invalid to many relationship (\(path)) passed to \(method)")
        }
        holder = relationship.destinationEntity
        if isLast {
          self.init(name: path, kind: .toOne(names))
          return
        }
      case nil where isLast && holder != nil && name == "objectID":
        self.init(name: path, kind: .computed(.keyPath(.subject, names), .objectID))
        return
      default: raiseException("Invalid keypath \(path) passed to \(method)")
      }
    }
    raiseException("Invalid keypath \(path) passed to \(method)")
  }

  var column: StoreColumns.Column {
    switch kind {
    case .attribute(_, let path), .toOne(let path): .path(path)
    case .computed(let tree, _): .expression(tree)
    }
  }

  /// Whether it is a value of a group of objects.
  var isStatistic: Bool {
    guard case .computed = kind else { return false }
    return StoreColumns(columns: [column], names: [name]).hasStatistic
  }

  // MARK: Values

  /// - Parameter store: the store with the value's object.
  func object(_ value: ResultValue, _ store: NSPersistentStore?) -> Any? {
    switch (value, kind) {
    case (.object(let id), _): return store?.objectID(id)
    case (.stored(let stored), .attribute(let attribute, _)):
      return stored.object(of: attribute) { file in (try? store?.objects.contents(of: file)).map { Data($0) } }
    case (.stored(let stored), _): return stored.object
    case (.computed(let value), .computed(_, let type)): return Self.object(value, type, store)
    case (.computed(let value), _): return value.object
    }
  }

  /// The value converted to the type; a value that cannot be converted is returned unchanged.
  private static func object(
    _ value: PredicateValue, _ type: NSAttributeDescription.AttributeType, _ store: NSPersistentStore?
  ) -> Any? {
    if case .object(let object) = value, let id = object.origin as? RowID { return store?.objectID(id) }
    guard let object = value.object else { return nil }
    switch (type, value) {
    case (.date, .integer(let seconds)): return Date(timeIntervalSinceReferenceDate: Double(seconds))
    case (.date, .double(let seconds)): return Date(timeIntervalSinceReferenceDate: seconds)
    case (.string, .integer), (.string, .double): return "\(object)"
    case (.decimal, .double(let number)): return NSDecimalNumber(string: "\(number)")
    case (.undefined, _), (.transformable, _), (.objectID, _): return object
    default: return StoredValue(object, as: type)?.object ?? object
    }
  }
}
