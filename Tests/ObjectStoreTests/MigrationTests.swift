import FaultInjection
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

@Suite("Migration of an object store to another model version")
struct MigrationTests {
  private typealias Sample = SampleStore

  /// The sample's model with other names for every entity and property, in another order; or the way back.
  private static func renamed(_ declarations: [StoreSchema.Declaration], _ name: (String) -> String) -> StoreSchema {
    StoreSchema(
      declarations.map { old in
        var new = StoreSchema.Declaration(name: name(old.name), parent: old.parent.map(name))
        new.isAbstract = old.isAbstract
        new.renamingIdentifier = old.name
        new.versionHash = "renamed"
        new.attributes = old.attributes.map { attribute in
          var attribute = attribute
          (attribute.name, attribute.renamingIdentifier) = (name(attribute.name), attribute.name)
          return attribute
        }
        new.relationships = old.relationships.map { relationship in
          .init(
            name: name(relationship.name), destination: name(relationship.destination),
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, inverse: relationship.inverse.map(name),
            renamingIdentifier: relationship.name)
        }
        return new
      })
  }

  /// Changes a name so that the order of the names is reversed.
  private static func reversed(_ name: String) -> String {
    String(decoding: name.utf8.prefix(1).map { 219 - ($0 | 32) } + Array("_\(name)".utf8), as: UTF8.self)
  }

  // [store-20]
  @Test(
    "a migration that renames everything preserves data and history, and a second one restores the names",
    arguments: 0..<6)
  func migrationThatRenamesEverythingPreservesData(round: Int) throws {
    try Sample.withPath("objects-migrate") { path in
      var changes = RandomChanges(seed: TestSeed.value("migration \(round)"))
      let store = try Sample.open(path)
      for _ in 0..<40 { try changes.step(store) }
      let before = try StoreScenario(store)
      let head = try store.read { try $0.head() }
      let renamed = Self.renamed(Sample.declarations, Self.reversed)
      try ObjectStore.migrate(
        path, StoreMapping(from: Sample.schema, to: renamed), options: Sample.options)
      let middle = try ObjectStore(path, schema: renamed, options: Sample.options)
      #expect(middle.identifier == store.identifier)
      #expect(try middle.check() == [])
      #expect(try middle.read { try $0.head() } >= head)
      try ObjectStore.migrate(path, StoreMapping(from: renamed, to: Sample.schema), options: Sample.options)
      let after = try Sample.open(path)
      #expect(try after.check() == [])
      #expect(try StoreScenario(after) == before)
      #expect(throws: ObjectStoreError.missing(path: path)) { _ = try store.read { try $0.head() } }
      #expect(throws: ObjectStoreError.missing(path: path)) { _ = try middle.write { _ = $0.newNumber() } }
      for _ in 0..<5 { try changes.step(after) }
      #expect(try after.check() == [])
    }
  }

  // MARK: Changes of the model

  private func entity(
    _ name: String, _ attributes: [StoreSchema.Attribute], _ relationships: [StoreSchema.RelationshipDeclaration] = [],
    parent: String? = nil, renaming: String? = nil, hash: String = ""
  ) -> StoreSchema.Declaration {
    var entity = StoreSchema.Declaration(name: name, parent: parent)
    (entity.attributes, entity.relationships) = (attributes, relationships)
    (entity.renamingIdentifier, entity.versionHash) = (renaming, hash)
    return entity
  }

  private func row(
    _ store: ObjectStore, _ id: RowID, _ values: [String: StoredValue], _ toOnes: [String: RowID] = [:]
  ) -> StoredRow {
    let entity = store.schema.entities[Int(id.entity)]
    return StoredRow(
      id: id, version: 0, attributes: entity.attributes.map { values[$0.name] ?? .null },
      toOnes: entity.toOnes.map { toOnes[store.schema.relationships[$0].name] })
  }

  private func document(_ store: ObjectStore, _ text: String) throws -> JSONObject {
    let id = try #require(store.id(text))
    return try store.read { view in
      var document = try view.document(#require(try view.row(id)))
      document["related"] = .object(try view.relatedDocument(id))
      return document
    }
  }

  @Test(
    "a migration adds, removes and converts attributes, widens relationships, and changes inverses and parents")
  func migrationAddsRemovesAndConvertsAttributes() throws {
    try Sample.withPath("objects-shapes") { path in
      let before = StoreSchema([
        entity(
          "Book",
          [
            .init(name: "title", type: .string), .init(name: "pages", type: .integer64),
            .init(name: "old", type: .string),
          ],
          [
            .init(name: "writer", destination: "Writer", isToMany: false, inverse: "books"),
            .init(name: "seller", destination: "Shop", isToMany: false),
            .init(name: "copies", destination: "Copy", isToMany: true),
          ]),
        entity(
          "Writer", [.init(name: "name", type: .string)],
          [.init(name: "books", destination: "Book", isToMany: true, inverse: "writer")]),
        entity("Shop", [.init(name: "name", type: .string)]),
        entity("Copy", [.init(name: "number", type: .integer16)]),
        entity("Gone", [.init(name: "name", type: .string)]),
      ])
      let store = try ObjectStore(path, schema: before)
      let names = ["Book", "Writer", "Shop", "Copy", "Gone"]
      _ = try store.write { transaction in
        let ids = try names.map { transaction.newID(of: try #require(before.entity(named: $0))) }
        transaction.insert(
          row(
            store, ids[0], ["title": .string("One"), "pages": .integer(70_000), "old": .string("x")],
            ["writer": ids[1], "seller": ids[2]]))
        for (index, key) in [(1, "name"), (2, "name"), (4, "name")] {
          transaction.insert(row(store, ids[index], [key: .string(names[index])]))
        }
        transaction.insert(row(store, ids[3], ["number": .integer(7)]))
        try transaction.link(
          ids[0], try #require(before.relationship(named: "copies", of: Int(ids[0].entity))), to: ids[3])
      }
      let after = StoreSchema([
        entity(
          "Book",
          [
            .init(name: "title", type: .string, isRequired: true), .init(name: "pages", type: .integer32),
            .init(name: "price", type: .decimal),
          ],
          [
            .init(
              name: "writers", destination: "Author", isToMany: true, inverse: "books", renamingIdentifier: "writer"),
            .init(name: "seller", destination: "Shop", isToMany: true, inverse: "sold"),
            .init(name: "copies", destination: "Copy", isToMany: true, inverse: "book"),
          ], hash: "2"),
        entity(
          "Author", [],
          [.init(name: "books", destination: "Book", isToMany: true, isOrdered: true, inverse: "writers")],
          parent: "Person", renaming: "Writer", hash: "2"),
        entity("Person", [.init(name: "name", type: .string)], hash: "2"),
        entity(
          "Shop", [.init(name: "name", type: .string)],
          [.init(name: "sold", destination: "Book", isToMany: true, inverse: "seller")], hash: "2"),
        entity(
          "Copy", [.init(name: "number", type: .integer64)],
          [.init(name: "book", destination: "Book", isToMany: false, inverse: "copies")], hash: "2"),
      ])
      var mapping = try StoreMapping(from: before, to: after)
      let book = try #require(after.entity(named: "Book"))
      let price = try #require(after.entities[book].attributes.firstIndex { $0.name == "price" })
      mapping.entities[book].attributes[price].defaultValue = .decimal("1.5")
      mapping.metadata = ["version": "2"]
      try store.setMetadata(["own": 1, "version": "1"])
      try ObjectStore.migrate(path, mapping)
      let migrated = try ObjectStore(path, schema: after)
      #expect(try migrated.check() == [])
      #expect(try migrated.metadata() == ["own": 1, "version": "2"])
      let one = try document(migrated, "Book/1")
      #expect(one["values"] == ["pages": 70_000, "price": 1.5, "title": "One"])
      #expect(one["related"] == ["copies": ["Copy/4"], "seller": ["Shop/3"], "writers": ["Author/2"]])
      #expect(try document(migrated, "Author/2")["values"] == ["name": "Writer"])
      #expect(try document(migrated, "Author/2")["related"] == ["books": ["Book/1"]])
      #expect(try document(migrated, "Copy/4")["values"] == ["book": "Book/1", "number": 7])
      #expect(try document(migrated, "Shop/3")["related"] == ["sold": ["Book/1"]])
      let history = try migrated.read { try $0.history(after: 0) }
      #expect(history.count == 1 && history[0].changes.count == 4)
      // A value that does not fit, or a missing required value, leaves the store unchanged.
      let small = StoreSchema([entity("Book", [.init(name: "pages", type: .integer16)], hash: "3")])
      let refusal = #expect(throws: NotMigratable.self) {
        try ObjectStore.migrate(path, StoreMapping(from: after, to: small))
      }
      #expect(refusal?.object == "Book/1")
      #expect(refusal?.property == "pages")
      let strict = StoreSchema([entity("Shop", [.init(name: "city", type: .string, isRequired: true)], hash: "3")])
      let missing = #expect(throws: NotMigratable.self) {
        try ObjectStore.migrate(path, StoreMapping(from: after, to: strict))
      }
      #expect(missing?.property == "city")
      #expect(missing?.entity == "Shop")
      #expect(try migrated.read { try $0.ids(of: book).count } == 1)
      #expect(
        try Directory.open(path: String(path.dropLast("/private.sqlite".count)), in: FileSystem()).entries().count == 1)
    }
  }

  @Test("a change of the model that no mapping rule covers is refused with the entity's and property's names")
  func changeOfTheModelThatNoMapping() throws {
    func expect(
      _ entity: String, _ property: String?, _ before: [StoreSchema.Declaration], _ after: [StoreSchema.Declaration]
    ) {
      let error = #expect(throws: NotInferable.self) {
        _ = try StoreMapping(from: StoreSchema(before), to: StoreSchema(after))
      }
      #expect(error?.entity == entity, "\(error as Any)")
      #expect(error?.property == property, "\(error as Any)")
    }
    let text = StoreSchema.Attribute(name: "a", type: .string)
    let toA = StoreSchema.RelationshipDeclaration(name: "r", destination: "A", isToMany: true)
    expect("A", "a", [entity("A", [text])], [entity("A", [.init(name: "a", type: .integer16)])])
    expect("A", "b", [entity("A", [text])], [entity("A", [.init(name: "b", type: .date, renamingIdentifier: "a")])])
    expect("A", "r", [entity("A", [], [toA])], [entity("A", [], [.init(name: "r", destination: "A", isToMany: false)])])
    expect("A", "r", [entity("A", [], [toA])], [entity("A", [.init(name: "r", type: .string)])])
    expect("A", "a", [entity("A", [text])], [entity("A", [], [.init(name: "a", destination: "A", isToMany: true)])])
    expect(
      "A", "r", [entity("A", [], [toA]), entity("B", [])],
      [entity("A", [], [.init(name: "r", destination: "B", isToMany: true)]), entity("B", [])])
    var abstract = entity("A", [text])
    abstract.isAbstract = true
    expect("A", nil, [entity("A", [text])], [abstract])
    expect("B", nil, [entity("A", []), entity("B", [])], [entity("A", []), entity("B", [], parent: "A")])
    expect(
      "B", nil, [entity("A", []), entity("B", [])],
      [entity("A", [], parent: "C"), entity("B", [], parent: "C"), entity("C", [])])
    #expect(throws: Never.self) {
      _ = try StoreMapping(
        from: StoreSchema([entity("A", [text])]), to: StoreSchema([entity("A", [], parent: "C"), entity("C", [text])]))
    }
  }

  @Test("renaming identifiers map names across several versions, also where two names are exchanged")
  func renamingIdentifiersMapNamesAcrossSeveral() throws {
    func schema(_ attributes: [(String, String?)]) -> StoreSchema {
      StoreSchema([
        entity("A", attributes.map { .init(name: $0.0, type: .string, renamingIdentifier: $0.1) })
      ])
    }
    func sources(_ before: StoreSchema, _ after: StoreSchema) throws -> [String: String] {
      let mapping = try StoreMapping(from: before, to: after)
      return Dictionary(
        uniqueKeysWithValues: zip(after.entities[0].attributes, mapping.entities[0].attributes).compactMap {
          new, rule in
          rule.source.map { (new.name, before.entities[0].attributes[$0].name) }
        })
    }
    let (first, second) = (schema([("color", nil), ("size", nil)]), schema([("paint", "color"), ("size", nil)]))
    #expect(try sources(first, second) == ["paint": "color", "size": "size"])
    #expect(try sources(second, schema([("tint", "color")])) == ["tint": "paint"])
    #expect(try sources(second, schema([("tint", "paint")])) == ["tint": "paint"])
    #expect(try sources(second, schema([("paint", nil), ("color", nil)])) == ["color": "paint"])
    #expect(try sources(first, schema([("size", "color"), ("color", "size")])) == ["size": "color", "color": "size"])
  }

  // [store-2]
  @Test("a model version that stores the same data opens the store only if versions are ignored")
  func modelVersionThatStoresTheSameData() throws {
    try Sample.withPath("objects-ignoring") { path in
      let text = StoreSchema.Attribute(name: "a", type: .string)
      _ = try ObjectStore(path, schema: StoreSchema([entity("A", [text], hash: "1")]))
      var options = ObjectStore.Options()
      let renaming = StoreSchema.Attribute(name: "a", type: .string, isRequired: true, renamingIdentifier: "b")
      let same = StoreSchema([entity("A", [renaming], renaming: "C", hash: "2")])
      #expect(throws: ObjectStoreError.otherModel(path: path, entities: ["A"])) {
        _ = try ObjectStore(path, schema: same, options: options)
      }
      options.ignoresVersions = true
      _ = try ObjectStore(path, schema: same, options: options)
      #expect(try ObjectStore.summary(path).schema == same)
      #expect(throws: ObjectStoreError.otherModel(path: path, entities: ["A"])) {
        _ = try ObjectStore(
          path, schema: StoreSchema([entity("A", [.init(name: "a", type: .date)], hash: "3")]), options: options)
      }
    }
  }

  // MARK: Quarantine

  // [store-30]
  @Test("a migration retains the files that a repair set aside, also unreadable ones")
  func migrationRetainsTheFilesThatARepair() throws {
    try Sample.withPath("objects-migration-aside") { path in
      _ = try Sample.open(path)
      let aside = path + "/aside/then"
      try Directory.make(path: aside, in: FileSystem())
      try Directory.open(path: aside, in: FileSystem()).writeStaged("closed", [1])
      #expect(mkfifo(aside + "/pipe", 0o600) == 0)
      #expect(symlink("nowhere", aside + "/link") == 0)
      let fileSystem = FileSystem(observing: .allCalls) {
        $0 == .openFile(aside + "/closed") ? .fail(SystemError.accessDenied) : .proceed
      }
      let renamed = Self.renamed(Sample.declarations, Self.reversed)
      try ObjectStore.migrate(
        path, StoreMapping(from: Sample.schema, to: renamed), options: Sample.options, in: fileSystem)
      let names = try Directory.open(path: aside, in: FileSystem()).entries().map(\.name)
      #expect(Set(names) == ["closed", "link", "pipe"])
      // A migration to another path, and a copy, leave the quarantined files in the old store.
      let back = try StoreMapping(from: renamed, to: Sample.schema)
      try ObjectStore.migrate(path, to: path + ".other", back, options: Sample.options)
      try ObjectStore.stored(path).copy(to: path + ".copy")
      for path in [path + ".other", path + ".copy"] {
        #expect(try Directory.open(path: path, in: FileSystem()).kind(of: "aside") == nil)
      }
      #expect(try Directory.open(path: aside, in: FileSystem()).exists("closed"))
    }
  }

  // MARK: Faults

  private func fault() throws -> FaultCase<MigrationScenario> {
    let folder = MemoryFolder.newPath("objects-migration-fault")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    let path = folder + "/s"
    let store = try Sample.open(path)
    var changes = RandomChanges(seed: TestSeed.value("migration fault"))
    for _ in 0..<3 { try changes.step(store) }
    try Directory.make(path: path + "/aside/then", in: FileSystem())
    try Directory.open(path: path + "/aside/then", in: FileSystem()).writeStaged("kept", [1])
    let renamed = Self.renamed(Sample.declarations, Self.reversed)
    return try FaultCase(
      "a store is migrated", FolderImage(of: folder),
      change: { path, fileSystem in
        try ObjectStore.migrate(
          path + "/s", StoreMapping(from: Sample.schema, to: renamed), options: Sample.options, in: fileSystem)
      }, state: { try MigrationScenario($0 + "/s") }, judge: judge)
  }

  private func judge(_ finding: FaultCase<MigrationScenario>.Finding) {
    do {
      let path = finding.path + "/s"
      let store = try ObjectStore.stored(
        path, isReadOnly: false, options: Sample.options, in: FileSystem(bootIdentifier: finding.boot))
      #expect(finding.allowed.contains(try MigrationScenario(path)), "\(finding.text)")
      #expect(try StoreEditing(path).aside() == ["then/kept": [1]], "\(finding.text)")
      _ = try store.write { _ = $0.newNumber() }
      #expect(try store.check() == [], "\(finding.text)")
      #expect(
        try Directory.open(path: finding.path, in: FileSystem()).entries().map(\.name) == ["s"], "\(finding.text)")
    } catch {
      Issue.record("\(finding.text): \(error)")
    }
  }

  // [store-20]
  @Test("a process killed at any call of a migration leaves the complete store of one version or the other")
  func processKilledAtAnyCall() throws {
    let fault = try fault()
    let (count, outcomes) = try fault.kills()
    #expect(count > 40)
    #expect(outcomes == [fault.before, fault.after])
    #expect(fault.before != fault.after)
  }

  @Test("after a power cut during a migration the store is completely of one version or the other")
  func powerCuts() throws { try fault().powerCuts(seeded: 1) }

  @Test("a migration that fails at any call leaves the store completely of one version or the other")
  func migrationThatFailsAtAnyCallLeaves() throws { try fault().errors() }
}
