import LocalCloudObjectStore

/// A model with every type of attribute and every kind of relationship.
enum TestModel {
  static let schema = StoreSchema([post, imagePost, tag, attachment, cover, person, peer, value])

  private static var post: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Post")
    entity.attributes = [
      .init(name: "title", type: .string), .init(name: "content", type: .string),
      .init(name: "photo", type: .binary, isExternal: true), .init(name: "likes", type: .integer32),
      .init(name: "tagCount", type: .integer64, derivation: "tags.@count"),
    ]
    entity.relationships = [
      .init(name: "tags", destination: "Tag", isToMany: true, inverse: "posts"),
      .init(name: "attachments", destination: "Attachment", isToMany: true, inverse: "post"),
      .init(name: "cover", destination: "Cover", isToMany: false, inverse: "post"),
    ]
    return entity
  }

  private static var imagePost: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "ImagePost", parent: "Post")
    entity.attributes = [.init(name: "width", type: .integer16)]
    return entity
  }

  private static var tag: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Tag")
    entity.attributes = [.init(name: "title", type: .string)]
    entity.relationships = [.init(name: "posts", destination: "Post", isToMany: true, inverse: "tags")]
    return entity
  }

  private static var attachment: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Attachment")
    entity.attributes = [
      .init(name: "title", type: .string), .init(name: "postTitle", type: .string, derivation: "post.title"),
      .init(name: "folded", type: .string, derivation: "lowercase:(title)"),
    ]
    entity.relationships = [.init(name: "post", destination: "Post", isToMany: false, inverse: "attachments")]
    return entity
  }

  private static var cover: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Cover")
    entity.attributes = [.init(name: "title", type: .string)]
    entity.relationships = [.init(name: "post", destination: "Post", isToMany: false, inverse: "cover")]
    return entity
  }

  private static var person: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Person")
    entity.attributes = [.init(name: "title", type: .string)]
    entity.relationships = [
      .init(name: "follows", destination: "Person", isToMany: true, inverse: "followers"),
      .init(name: "followers", destination: "Person", isToMany: true, inverse: "follows"),
    ]
    return entity
  }

  private static var peer: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Peer")
    entity.attributes = [.init(name: "title", type: .string)]
    entity.relationships = [.init(name: "peers", destination: "Peer", isToMany: true, inverse: "peers")]
    return entity
  }

  private static var value: StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: "Value")
    entity.attributes =
      [.init(name: "title", type: .string)]
      + StoreSchema.AttributeType.allCases.flatMap { type in
        [
          StoreSchema.Attribute(name: "plain_\(type.rawValue)", type: type),
          StoreSchema.Attribute(name: "sealed_\(type.rawValue)", type: type, isEncrypted: true),
        ]
      }
    return entity
  }

  static func entity(_ name: String) -> Int { schema.entity(named: name) ?? -1 }

  static func relationship(_ name: String, of entity: Int) -> Int {
    schema.relationship(named: name, of: entity) ?? -1
  }

  /// A typical value of this type.
  static func sample(_ type: StoreSchema.AttributeType) -> StoredValue {
    switch type {
    case .integer16: .integer(-32_768)
    case .integer32: .integer(2_147_483_647)
    case .integer64: .integer(.min)
    case .decimal: .decimal("0.1")
    case .double: .double(.pi)
    case .float: .double(Double(Float(0.1)))
    case .string: .string("Grüße 🌍 e\u{301}")
    case .boolean: .boolean(true)
    case .date: .date(700_000_000.123_456)
    case .binary: .binary([0, 1, 255])
    case .uuid: .uuid("0B3F9A5E-1B2C-4D3E-8F90-123456789ABC")
    case .uri: .uri("x-coredata://store/Post/p1")
    case .transformable: .binary([9, 8, 7])
    }
  }
}

extension StoredRow {
  /// A row of an entity with these attributes; the others are null.
  init(_ id: RowID, _ attributes: [String: StoredValue], toOnes: [String: RowID] = [:]) {
    let entity = TestModel.schema.entities[Int(id.entity)]
    self.init(
      id: id, version: 1, attributes: entity.attributes.map { attributes[$0.name] ?? .null },
      toOnes: entity.toOnes.map { toOnes[TestModel.schema.relationships[$0].name] })
  }

  subscript(name: String) -> StoredValue {
    get {
      let attributes = TestModel.schema.entities[Int(id.entity)].attributes
      return attributes.firstIndex { $0.name == name }.map { self.attributes[$0] } ?? .null
    }
    set {
      let attributes = TestModel.schema.entities[Int(id.entity)].attributes
      if let index = attributes.firstIndex(where: { $0.name == name }) { self.attributes[index] = newValue }
    }
  }
}
