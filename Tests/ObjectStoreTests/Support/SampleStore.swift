import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// A store of posts, people and tags with all kinds of attributes and relationships.
enum SampleStore {
  static let schema: StoreSchema = StoreSchema(declarations)

  static var declarations: [StoreSchema.Declaration] {
    var item = StoreSchema.Declaration(name: "Item")
    item.isAbstract = true
    item.attributes = [
      .init(name: "title", type: .string, isPreserved: true), .init(name: "rating", type: .integer32),
      .init(name: "weight", type: .double), .init(name: "due", type: .date), .init(name: "isDone", type: .boolean),
    ]
    item.relationships = [.init(name: "author", destination: "Person", isToMany: false, inverse: "items")]
    item.indexes = [
      .init(name: "byTitle", elements: [.init(property: "title", isAscending: true)]),
      .init(
        name: "byRating",
        elements: [.init(property: "rating", isAscending: true), .init(property: "due", isAscending: false)]),
    ]
    var post = StoreSchema.Declaration(name: "Post", parent: "Item")
    post.attributes = [
      .init(name: "body", type: .binary, isExternal: true), .init(name: "price", type: .decimal),
      .init(name: "token", type: .uuid), .init(name: "link", type: .uri), .init(name: "extra", type: .transformable),
      .init(name: "ratio", type: .float),
    ]
    post.relationships = [.init(name: "tags", destination: "Tag", isToMany: true, inverse: "posts")]
    let note = StoreSchema.Declaration(name: "Note", parent: "Item")
    var person = StoreSchema.Declaration(name: "Person")
    person.attributes = [.init(name: "name", type: .string)]
    person.relationships = [
      .init(name: "items", destination: "Item", isToMany: true, isOrdered: true, inverse: "author"),
      .init(name: "friends", destination: "Person", isToMany: true, inverse: "friends"),
      .init(name: "boss", destination: "Person", isToMany: false, inverse: "staff"),
      .init(name: "staff", destination: "Person", isToMany: true, inverse: "boss"),
    ]
    person.indexes = [.init(name: "byName", elements: [.init(property: "name", isAscending: true)])]
    var tag = StoreSchema.Declaration(name: "Tag")
    tag.attributes = [.init(name: "name", type: .string), .init(name: "level", type: .integer16)]
    tag.relationships = [
      .init(name: "posts", destination: "Post", isToMany: true, isOrdered: true, inverse: "tags"),
      .init(name: "related", destination: "Tag", isToMany: true),
    ]
    return [item, post, note, person, tag]
  }

  static let (item, note, person, post, tag) = (0, 1, 2, 3, 4)

  static let author = relationship("author", of: item)

  static func relationship(_ name: String, of entity: Int) -> Int {
    guard let index = schema.relationship(named: name, of: entity) else { fatalError("no relationship \(name)") }
    return index
  }

  static func attributeIndex(_ name: String, of entity: Int) -> Int {
    guard let index = schema.entities[entity].attributes.firstIndex(where: { $0.name == name }) else {
      fatalError("no attribute \(name)")
    }
    return index
  }

  /// A row with the named values; all other values are nil.
  static func row(_ id: RowID, _ values: [String: StoredValue] = [:], _ toOnes: [String: RowID] = [:]) -> StoredRow {
    let entity = schema.entities[Int(id.entity)]
    return StoredRow(
      id: id, version: 0, attributes: entity.attributes.map { values[$0.name] ?? .null },
      toOnes: entity.toOnes.map { toOnes[schema.relationships[$0].name] })
  }

  /// Small limits, so that a few saves cause checkpoints and rewrites.
  static var options: ObjectStore.Options {
    var options = ObjectStore.Options()
    options.limits.checkpointBytes = 3000
    options.segmentLimits.full = 900
    options.segmentLimits.worthwhile = 200
    options.lockTimeout = 5
    return options
  }

  static func withPath<Result>(_ name: String, _ body: (String) throws -> Result) throws -> Result {
    let folder = MemoryFolder.newPath(name)
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    return try body(folder + "/private.sqlite")
  }

  static func open(
    _ path: String, options: ObjectStore.Options = SampleStore.options, in fileSystem: FileSystem = FileSystem()
  ) throws -> ObjectStore {
    try ObjectStore(path, schema: schema, options: options, in: fileSystem)
  }
}
