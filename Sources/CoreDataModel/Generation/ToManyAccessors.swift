/// The methods that change a relationship to many object by object, in Xcode's order.
struct ToManyAccessors {
  private let relationship: ModelRelationship
  private let destination: String

  init(_ relationship: ModelRelationship, destination: String) {
    self.relationship = relationship
    self.destination = destination
  }

  var text: String {
    (relationship.isOrdered ? ordered : unordered).map { method in
      "  public func \(method.head) {\n    \(method.body)\n  }\n"
    }.joined(separator: "\n")
  }

  private typealias Method = (head: String, body: String)

  private var key: String { "\"\(relationship.name)\"" }
  private var name: String { SwiftName.capitalized(relationship.name) }

  private var single: (add: Method, remove: Method) {
    (
      ("addTo\(name)(_ value: \(destination))", "_addObject(value, to: \(key))"),
      ("removeFrom\(name)(_ value: \(destination))", "_removeObject(value, from: \(key))")
    )
  }

  private var unordered: [Method] {
    [
      single.add, single.remove,
      ("addTo\(name)(_ values: NSSet)", "_addObjects(values, to: \(key))"),
      ("removeFrom\(name)(_ values: NSSet)", "_removeObjects(values, from: \(key))"),
    ]
  }

  private var ordered: [Method] {
    [
      ("insertInto\(name)(_ value: \(destination), at idx: Int)", "_insertObject(value, into: \(key), at: idx)"),
      ("removeFrom\(name)(at idx: Int)", "_removeObject(from: \(key), at: idx)"),
      (
        "insertInto\(name)(_ values: [\(destination)], at indexes: NSIndexSet)",
        "_insertObjects(values, into: \(key), at: indexes)"
      ),
      ("removeFrom\(name)(at indexes: NSIndexSet)", "_removeObjects(from: \(key), at: indexes)"),
      (
        "replace\(name)(at idx: Int, with value: \(destination))",
        "_replaceObject(in: \(key), at: idx, with: value)"
      ),
      (
        "replace\(name)(at indexes: NSIndexSet, with values: [\(destination)])",
        "_replaceObjects(in: \(key), at: indexes, with: values)"
      ),
      single.add, single.remove,
      ("addTo\(name)(_ values: NSOrderedSet)", "_addOrderedObjects(values, to: \(key))"),
      ("removeFrom\(name)(_ values: NSOrderedSet)", "_removeOrderedObjects(values, from: \(key))"),
    ]
  }
}
