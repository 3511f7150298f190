import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The schema")
struct SchemaTests {
  let cloud: TemporaryCloud
  let alice: Person
  let production: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    production = Person(cloud, "alice", environment: .production)
    try production.makeZone()
  }

  private func save(
    _ person: Person, _ name: ExactName, type: String = "Thing", _ fields: [String: FieldValue?]
  ) throws -> Record {
    try person.save(RecordSave(id: person.id(name), type: type, fields: fields), policy: .changedKeys)
  }

  /// The code and text of a refusal; nil for success.
  private func refusal(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch let error as ServiceError {
      return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
    } catch {
      return "\(error)"
    }
    return nil
  }

  private func schema(_ person: Person? = nil) throws -> Schema {
    try cloud.service.schemas.schema(by: (person ?? alice).caller)
  }

  // [schema-growth-1], [schema-growth-4]
  @Test("the first save of a field creates it, with the default indexes of its type and the default grants")
  func justInTime() throws {
    _ = try save(
      alice, "a",
      [
        "text": .string("x"), "count": .int64(1), "price": .double(1.5), "due": .timestamp(Moment(milliseconds: 0)),
        "data": .bytes([1]),
        "place": .location(LocationValue(latitude: 1, longitude: 2)), "other": .reference(ReferenceValue(record: "a")),
        "words": .list(.string, [.string("x")]), "numbers": .list(.int64, [.int64(1)]), "gone": nil,
      ])
    let type = try #require(try schema().types["Thing"])
    #expect(
      type.fields.mapValues(\.text) == [
        "text": "STRING QUERYABLE SEARCHABLE SORTABLE", "count": "INT64 QUERYABLE SORTABLE",
        "price": "DOUBLE QUERYABLE SORTABLE", "due": "TIMESTAMP QUERYABLE SORTABLE",
        "data": "BYTES QUERYABLE SORTABLE", "place": "LOCATION QUERYABLE SORTABLE", "other": "REFERENCE QUERYABLE",
        "words": "LIST<STRING> QUERYABLE SEARCHABLE", "numbers": "LIST<INT64> QUERYABLE",
      ])
    #expect(type.grants == ["_creator": [.write], "_icloud": [.create], "_world": [.read]])
    #expect(type.systemIndexes.isEmpty)
    // The tree contains the schema as text.
    let text = try #require(
      try Directory.open(
        path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development", in: FileSystem()
      ).contents("schema.ckdb"))
    #expect(String(decoding: text, as: UTF8.self) == (try schema().text))
    #expect(try cloud.service.checks.check() == [])
  }

  // [schema-growth-2]
  @Test("a type is created when a record of it is saved, also without fields; a refused save creates nothing")
  func typeIsCreatedWhenARecord() throws {
    _ = try save(alice, "a", type: "Empty", [:])
    #expect(try schema().types["Empty"]?.fields == [:])
    _ = try alice.modify([alice.note("b", "1", tag: "never", type: "Refused")])
    let stranger = Person(cloud, "bob")
    #expect(code { try save(stranger, "a", type: "Refused", [:]) } == .zoneNotFound)
    // The valid save of a refused atomic batch creates no type either.
    _ = try alice.modify([alice.note("c", "1", type: "Refused"), alice.note("d", "1", tag: "never")])
    #expect(try schema().types["Refused"] == nil)
    #expect(try schema().types.keys.sorted() == ["Empty", "Users"])
  }

  // [schema-growth-6], [schema-check-1], [schema-check-2]
  @Test("a value of another type than its field's is refused with the server's words")
  func wrongTypes() throws {
    _ = try save(alice, "a", ["f": .reference(ReferenceValue(record: "a"))])
    #expect(
      refusal { try save(alice, "b", ["f": .string("x")]) }
        == "12/2006 invalid attempt to set value type STRING for field 'f' for type 'Thing', defined to be: REFERENCE")
    _ = try save(alice, "a", ["n": .int64(1), "d": .double(1), "l": .list(.string, [.string("x")])])
    #expect(
      refusal { try save(alice, "b", ["n": .double(1)]) }
        == "12/2006 invalid attempt to set value type DOUBLE for field 'n' for type 'Thing', defined to be: INT64")
    #expect(
      refusal { try save(alice, "b", ["l": .string("x")]) }
        == "12/2006 invalid attempt to set value type STRING for field 'l' for type 'Thing', defined to be: STRING_LIST"
    )
    #expect(
      refusal { try save(alice, "b", ["n": .list(.unknown, [])]) }
        == "12/2006 invalid attempt to set value type UNKNOWN_LIST for field 'n' for type 'Thing', defined to be: INT64"
    )
    // No field of the refused saves was stored.
    #expect(code { try alice.fetch("b") } == .unknownItem)
    // An integer fits a DOUBLE field, and an empty list fits any list field.
    let saved = try save(alice, "b", ["d": .int64(2), "l": .list(.unknown, []), "n": nil])
    #expect(saved.fields == ["d": .double(2), "l": .list(.string, [])])
    // Another record type has its own fields.
    _ = try save(alice, "c", type: "Other", ["f": .string("x")])
  }

  @Test("if two records of a batch give a new field different types, the first one decides ([schema-growth-6])")
  func twoInOneBatch() throws {
    let saves = ["a": FieldValue.string("x"), "b": .int64(1)].sorted { $0.key < $1.key }.map { name, value in
      RecordSave(id: RecordIdentifier(name: ExactName(name), zone: .default), type: "Thing", fields: ["f": value])
    }
    let answers = try cloud.service.records.modifyRecords(
      ModifyRecordsRequest(scope: .private, saves: saves, atomic: false), by: alice.caller
    ).saves
    #expect(answers.map { result in code { try result.get() } } == [nil, .invalidArguments])
    #expect(try schema().types["Thing"]?.fields["f"]?.type == SchemaFieldType(.string))
  }

  @Test("an empty list can't create a field ([schema-growth-3])")
  func emptyList() throws {
    #expect(
      refusal { try save(alice, "a", ["f": .list(.unknown, [])]) }
        == "12/2006 cannot use an empty list to initialize a new field (field 'f' in record type 'Thing' should be more "
        + "precise)")
    #expect(try schema() == .initial)
  }

  @Test("a list with values of several types is refused and not stored ([record-value-1])")
  func mixedList() throws {
    #expect(code { try save(alice, "a", ["f": .list(.int64, [.int64(1), .string("x")])]) } == .invalidArguments)
    #expect(code { try alice.fetch("a") } == .unknownItem)
    #expect(try schema() == .initial)
  }

  @Test("TN3164 a save in production creates no type and no field, and can use deployed ones ([schema-growth-5])")
  func productionSchema() throws {
    #expect(
      refusal { try save(production, "a", ["f": .string("x")]) }
        == "12/2006 Cannot create new type Thing in production schema")
    _ = try save(alice, "a", ["f": .string("x")])
    let changes = try cloud.service.schemas.deploySchema(by: alice.caller)
    #expect(
      changes.map(\.text) == [
        "+ type Thing", "+ field Thing.f STRING QUERYABLE SEARCHABLE SORTABLE",
        "+ grants of Thing WRITE to _creator; CREATE to _icloud; READ to _world",
      ])
    _ = try save(production, "a", ["f": .string("x")])
    #expect(
      refusal { try save(production, "a", ["g": .string("x")]) }
        == "12/2006 Cannot create or modify field 'g' in record 'Thing' in production schema")
    #expect(
      refusal { try save(production, "a", ["f": .int64(1)]) }
        == "12/2006 invalid attempt to set value type INT64 for field 'f' for type 'Thing', defined to be: STRING")
    #expect(try cloud.service.schemas.deploySchema(by: alice.caller).isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }

  // [share-create-8]
  @Test("production refuses a share before the share type is deployed; in development the first share creates it")
  func shareType() throws {
    _ = try save(alice, "root", ["f": .string("x")])
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    _ = try save(production, "root", ["f": .string("x")])
    let root = try production.fetch("root")
    let share = RecordSave(
      id: production.id("Share-1"), type: Record.shareType, share: ShareSave(root: "root"))
    let answers = try production.modify([production.note("root", tag: root.changeTag, type: "Thing"), share]).saves
    #expect(refusal { try answers[1].get() } == "12/2006 Cannot create new type cloudkit.share in production schema")
    #expect(code { try answers[0].get() } == .batchRequestFailed)
    try alice.share("root")
    #expect(
      try schema().types["cloudkit.share"]?.fields.mapValues(\.text) == [
        "cloudkit.thumbnailImageData": "BYTES", "cloudkit.title": "STRING", "cloudkit.type": "STRING",
      ])
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    try production.share("root")
    #expect(try production.fetch("root").share == "Share-1")
  }

  // [schema-import-1], [schema-import-2]
  @Test("an invalid import changes nothing, and deployed fields and types can't be removed or change their type")
  func invalidImportChangesNothingAndDeployedFields() throws {
    let text = "DEFINE SCHEMA RECORD TYPE Thing (f STRING QUERYABLE, \"___recordID\" REFERENCE QUERYABLE);"
    let changes = try cloud.service.schemas.importSchema(text, by: alice.caller).changes
    #expect(
      changes.map(\.text) == [
        "+ type Thing", "+ field Thing.f STRING QUERYABLE", "+ indexes of Thing.___recordID QUERYABLE",
      ])
    #expect(try cloud.service.schemas.importSchema(text, by: alice.caller).changes.isEmpty)
    #expect(try cloud.service.schemas.validate(schema: text, by: alice.caller).isEmpty)
    // A type that is neither deployed nor used may be changed and removed.
    let other = "DEFINE SCHEMA RECORD TYPE Thing (f INT64);"
    #expect(
      try cloud.service.schemas.importSchema(other, by: alice.caller).changes.map(\.text) == [
        "~ field Thing.f: STRING QUERYABLE -> INT64", "- indexes of Thing.___recordID QUERYABLE",
      ])
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    for loss in [
      "DEFINE SCHEMA", "DEFINE SCHEMA RECORD TYPE Thing (f STRING);",
      "DEFINE SCHEMA RECORD TYPE Thing (f ENCRYPTED INT64);",
    ] {
      #expect(
        refusal { try cloud.service.schemas.importSchema(loss, by: alice.caller) }?.hasPrefix("12/2006 Cannot import: ")
          == true, "\(loss)")
    }
    #expect(
      refusal { try cloud.service.schemas.importSchema("DEFINE SCHEMA RECORD", by: alice.caller) }?.contains(
        "line 1, column 21") == true)
    #expect(code { try cloud.service.schemas.importSchema(text, by: production.caller) } == .permissionFailure)
    #expect(try schema() == Schema(text: other))
  }

  // [encryption-value-4], [schema-growth-4]
  @Test(
    "encrypted fields can be declared in the schema and deployed, or are created by the first save in development")
  func encryptedFields() throws {
    _ = try cloud.service.schemas.importSchema(
      """
      DEFINE SCHEMA
        RECORD TYPE Person (name STRING QUERYABLE, notes ENCRYPTED STRING, scores LIST<ENCRYPTED INT64>);
      """, by: alice.caller)
    #expect(try schema().text.contains("notes           ENCRYPTED STRING"))
    var person = RecordSave(id: alice.id("p"), type: "Person", fields: ["name": .string("Ada")])
    person.encryptedFields = ["notes": .string("hidden"), "scores": .list(.int64, [.int64(1)])]
    let saved = try alice.save(person)
    #expect(saved.encryptedFields == person.encryptedFields)
    // A field that is declared as encrypted takes no plain value, and a plain field takes no encrypted one.
    #expect(refusal { try save(alice, "q", type: "Person", ["notes": .string("plain")]) }?.hasPrefix("12/") == true)
    var reverse = RecordSave(id: alice.id("r"), type: "Person")
    reverse.encryptedFields = ["name": .string("hidden")]
    #expect(
      refusal { try alice.save(reverse) }
        == "12/2006 Attempt to save encrypted data in non encrypted field type (field 'name' in record type 'Person')")
    // Production accepts a deployed encrypted field, and creates none.
    person.id = production.id("p")
    #expect(refusal { try production.save(person) } == "12/2006 Cannot create new type Person in production schema")
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    #expect(try production.save(person).encryptedFields == person.encryptedFields)
    person.encryptedFields["more"] = .string("x")
    #expect(
      refusal { try production.save(person, policy: .changedKeys) }
        == "12/2006 Cannot create or modify field 'more' in record 'Person' in production schema")
    // Development creates an encrypted field with its first value.
    person.id = alice.id("p")
    _ = try alice.save(person, policy: .changedKeys)
    #expect(try schema().text.contains("more            ENCRYPTED STRING"))
  }

  @Test("a deployment removes nothing from production, and replaces the fields' indexes ([schema-deploy-1])")
  func deploymentRemovesNothingFromProduction() throws {
    _ = try cloud.service.schemas.importSchema(
      "DEFINE SCHEMA RECORD TYPE Old (a STRING, b INT64 SORTABLE);", by: alice.caller)
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    _ = try cloud.service.schemas.importSchema(
      "DEFINE SCHEMA RECORD TYPE Old (a STRING SEARCHABLE, b INT64);", by: alice.caller)
    #expect(
      try cloud.service.schemas.schemaDifferences(by: alice.caller).map(\.text) == [
        "~ field Old.a: STRING -> STRING SEARCHABLE", "~ field Old.b: INT64 SORTABLE -> INT64",
      ])
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    #expect(try schema(production).types["Old"]?.fields.mapValues(\.text) == ["a": "STRING SEARCHABLE", "b": "INT64"])
  }

  @Test("concurrent saves that create fields lose no field")
  func growingAtOnce() async throws {
    let person = alice
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask {
          _ = try person.save(
            RecordSave(
              id: person.id(ExactName("r\(number)")), type: "T\(number % 3)", fields: ["f\(number)": .int64(1)]))
        }
      }
      try await group.waitForAll()
    }
    #expect(try schema().types.values.reduce(0) { $0 + $1.fields.keys.count { $0.hasPrefix("f") } } == 12)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "with an invalid schema file saves fail, check reports it, and repair derives a schema from the records"
  )
  func withAnInvalidSchemaFileSavesFail() throws {
    _ = try save(alice, "a", ["f": .string("x")])
    let folder = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development", in: FileSystem())
    for text in ["nonsense", "DEFINE SCHEMA RECORD TYPE", "", "\u{0}"] {
      try folder.writeStaged("schema.ckdb", Array(text.utf8))
      let error = try #require(throws: ServiceError.self) { try save(alice, "b", ["f": .string("x")]) }
      #expect(error.cause == .damage, "\(error)")
      #expect(error.path?.hasSuffix("schema.ckdb") == true, "\(error)")
      #expect(try alice.fetch("a").fields["f"] == .string("x"))
      #expect(try cloud.service.checks.check().contains { $0.path.hasSuffix("schema.ckdb") })
    }
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try schema().types["Thing"]?.fields["f"]?.type == SchemaFieldType(.string))
    _ = try save(alice, "b", ["f": .string("x")])
    #expect(code { try save(alice, "b", ["f": .int64(1)]) } == .invalidArguments)
  }
}
