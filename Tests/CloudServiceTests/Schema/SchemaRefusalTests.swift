import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Refusals that concern the schema, with their codes and complete texts.
@Suite("Refusals by the schema")
struct SchemaRefusalTests {
  let cloud: TemporaryCloud
  let alice: Person
  let production: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    production = Person(cloud, "alice", environment: .production)
    try alice.makeZone()
    try production.makeZone()
  }

  /// `code/number text`; nil for success.
  private func refusal(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch let error as ServiceError {
      return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
    } catch {
      return "\(error)"
    }
    return nil
  }

  private func text(_ fields: String) -> String {
    "DEFINE SCHEMA RECORD TYPE Thing (\(fields), GRANT WRITE TO \"_creator\", GRANT CREATE TO \"_icloud\");"
  }

  @discardableResult
  private func load(_ fields: String) throws -> [SchemaChange] {
    try cloud.service.schemas.importSchema(text(fields), by: alice.caller).changes
  }

  /// The refusal of an import. A validation must give the same one, and neither changes the schema.
  private func importRefusal(_ text: String) throws -> String? {
    let before = try cloud.service.schemas.schema(by: alice.caller)
    let refused = refusal { try cloud.service.schemas.importSchema(text, by: alice.caller) }
    #expect(refusal { try cloud.service.schemas.validate(schema: text, by: alice.caller) } == refused)
    if refused != nil { #expect(try cloud.service.schemas.schema(by: alice.caller) == before) }
    return refused
  }

  // [schema-growth-8]
  @Test("a record type has at most 256 fields, whether records or imports create them")
  func fieldLimit() throws {
    @discardableResult
    func save(_ type: String, _ name: ExactName, _ numbers: Range<Int>) throws -> Record {
      let fields = numbers.map { ("f\($0)", FieldValue.int64(1)) }
      return try alice.save(
        RecordSave(id: alice.id(name), type: type, fields: Dictionary(uniqueKeysWithValues: fields)))
    }
    let limit = "a record type has at most 256 fields"
    try save("Thing", "a", 0..<255)
    #expect(refusal { try save("Thing", "b", 255..<257) }?.hasSuffix("' in record 'Thing': \(limit)") == true)
    // The refused save created no field. One more field is allowed, and existing fields are.
    #expect(try cloud.service.schemas.schema(by: alice.caller).types["Thing"]?.fields.count == 255)
    try save("Thing", "c", 255..<256)
    try save("Thing", "d", 0..<256)
    #expect(
      refusal { try save("Thing", "e", 256..<257) }
        == "12/2006 Cannot create field 'f256' in record 'Thing': \(limit)")
    // Each type has its own limit.
    try save("Other", "f", 0..<200)

    let texts = (0..<257).map { "f\($0) INT64" }
    #expect(
      try importRefusal(text(texts.joined(separator: ", ")))
        == "12/2006 Cannot import: 'Thing' would have too many fields; \(limit)")
    try load(texts.dropLast().joined(separator: ", "))
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
  }

  // [schema-import-2]
  @Test("an import can neither remove a deployed type or field nor change the type of a deployed field")
  func importCanNeitherRemoveADeployedType() throws {
    try load("a STRING QUERYABLE, b INT64, n NUMBER")
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    let end = ", which is deployed to production"
    for (text, expected) in [
      ("DEFINE SCHEMA", "12/2006 Cannot import: - type Thing" + end),
      (text("b INT64, n NUMBER"), "12/2006 Cannot import: - field Thing.a STRING QUERYABLE" + end),
      (
        text("a INT64, b INT64, n NUMBER"),
        "12/2006 Cannot import: ~ field Thing.a: STRING QUERYABLE -> INT64" + end
      ),
      (
        text("a LIST<STRING>, b INT64, n NUMBER"),
        "12/2006 Cannot import: ~ field Thing.a: STRING QUERYABLE -> LIST<STRING>" + end
      ),
      (
        text("a STRING, b ENCRYPTED INT64, n NUMBER"),
        "12/2006 Cannot import: ~ field Thing.b: INT64 -> ENCRYPTED INT64" + end
      ),
      (text("a STRING, b INT64, n INT64"), "12/2006 Cannot import: ~ field Thing.n: NUMBER -> INT64" + end),
    ] {
      #expect(try importRefusal(text) == expected)
    }
    // Indexes may be changed, and fields may be added.
    #expect(
      try load("a STRING SORTABLE, b INT64 QUERYABLE, c DOUBLE, n NUMBER").map(\.text) == [
        "~ field Thing.a: STRING QUERYABLE -> STRING SORTABLE", "~ field Thing.b: INT64 -> INT64 QUERYABLE",
        "+ field Thing.c DOUBLE",
      ])
  }

  // [schema-import-3]
  @Test("a field can't change between plain and encrypted; it can only be removed and added again")
  func fieldCannotChangeBetweenPlainAndEncrypted() throws {
    try load("a STRING, b ENCRYPTED STRING")
    let end = "; a field never becomes encrypted, and never stops being so"
    #expect(
      try importRefusal(text("a ENCRYPTED STRING, b ENCRYPTED STRING"))
        == "12/2006 Cannot import: ~ field Thing.a: STRING -> ENCRYPTED STRING" + end)
    #expect(
      try importRefusal(text("a STRING, b STRING"))
        == "12/2006 Cannot import: ~ field Thing.b: ENCRYPTED STRING -> STRING" + end)
    try load("b ENCRYPTED STRING")
    try load("a ENCRYPTED STRING, b ENCRYPTED STRING")
  }

  @Test("a NUMBER gets a preferred type once, deployed or not, and keeps it ([schema-import-3])")
  func numberGetsAPreferredTypeOnceDeployed() throws {
    try load("n NUMBER")
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    try alice.save(RecordSave(id: alice.id("a"), type: "Thing", fields: ["n": .double(1.5)]))
    try load("n NUMBER PREFERRED AS INT64")
    let end = "; the preferred type of a number never changes once it is set"
    #expect(
      try importRefusal(text("n NUMBER PREFERRED AS DOUBLE"))
        == "12/2006 Cannot import: ~ field Thing.n: NUMBER PREFERRED AS INT64 -> NUMBER PREFERRED AS DOUBLE" + end)
    #expect(
      try importRefusal(text("n NUMBER"))
        == "12/2006 Cannot import: ~ field Thing.n: NUMBER PREFERRED AS INT64 -> NUMBER" + end)
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    #expect(
      try cloud.service.schemas.schema(by: production.caller).types["Thing"]?.fields["n"]?.text
        == "NUMBER PREFERRED AS INT64")
  }

  @Test("a schema can be imported into development only ([schema-import-1])")
  func schemaCanBeImportedIntoDevelopmentOnly() throws {
    for refused in [
      refusal { try cloud.service.schemas.importSchema(text("a STRING"), by: production.caller) },
      refusal { try cloud.service.schemas.validate(schema: text("a STRING"), by: production.caller) },
    ] {
      #expect(refused == "10/2007 invalid-scope: a schema is imported into development alone")
    }
    #expect(try cloud.service.schemas.schema(by: production.caller) == .initial)
  }

  // [schema-deploy-2]
  @Test("a deployment fails as a whole if production has a field with another type")
  func deploymentFailsAsAWholeIfProduction() throws {
    try load("a STRING")
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    let deployed = try cloud.service.schemas.schema(by: production.caller)
    // Simulates a hand-edited development schema without production's fields.
    let file = try cloud.directory("containers/\(TemporaryCloud.container)/development")
    try file.writeStaged("schema.ckdb", Array(Schema(text: text("a INT64, b STRING")).text.utf8))
    #expect(
      refusal { try cloud.service.schemas.deploySchema(by: alice.caller) }
        == "12/2006 Cannot deploy: ~ field Thing.a: STRING -> INT64; the type of a deployed field never changes")
    #expect(try cloud.service.schemas.schema(by: production.caller) == deployed)
  }

  @Test("the error of an invalid schema text has the server's words, with line and column ([schema-text-9])")
  func errorOfAnInvalidSchemaText() throws {
    #expect(
      try importRefusal("DEFINE SCHEMA\n\n    RECORD TYPE T (\n        a BADTYPE\n    );") == """
        12/2006 Encountered " <IDENTIFIER> "BADTYPE "" at line 4, column 11.
        Was expecting one of:
            "LIST" ...
            "ENCRYPTED" ...
            "NUMBER" ...
            "ASSET" ...
            "BYTES" ...
            "DOUBLE" ...
            "INT64" ...
            "LOCATION" ...
            "REFERENCE" ...
            "STRING" ...
            "TIMESTAMP" ...
        """)
    #expect(
      try importRefusal("DEFINE SCHEMA RECORD TYPE T (\"___etag\" INT64);")
        == "12/2006 The system field '___etag' has the type STRING (line 1, column 40)")
    #expect(
      try importRefusal("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED REFERENCE);")?.hasPrefix(
        "12/2006 Encountered \" \"REFERENCE\" \"REFERENCE \"\" at line 1, column 42.\nWas expecting one of:\n") == true)
  }

  @Test("a value of the wrong type is refused, for each type of field, plain and encrypted ([schema-check-1])")
  func valueOfTheWrongTypeIsRefused() throws {
    try load(
      """
      asset ASSET, bytes BYTES, double DOUBLE, int64 INT64, location LOCATION, reference REFERENCE, string STRING,
      timestamp TIMESTAMP, strings LIST<STRING>, secret ENCRYPTED STRING, secrets LIST<ENCRYPTED INT64>
      """)
    let word = FieldValue.string("x")
    for (field, type) in [
      ("asset", "ASSETID"), ("bytes", "BYTES"), ("double", "DOUBLE"), ("int64", "INT64"), ("location", "LOCATION"),
      ("reference", "REFERENCE"), ("timestamp", "TIMESTAMP"), ("strings", "STRING_LIST"),
      ("secret", "ENCRYPTED_STRING"), ("secrets", "ENCRYPTED_INT64_LIST"),
    ] {
      #expect(
        refusal { try alice.save(RecordSave(id: alice.id("r"), type: "Thing", fields: [field: word])) }
          == "12/2006 invalid attempt to set value type STRING for field '\(field)' for type 'Thing', defined to be: \(type)"
      )
    }
    for (value, type) in [
      (FieldValue.int64(1), "INT64"), (.double(1.5), "DOUBLE"), (.bytes([1]), "BYTES"),
      (.timestamp(Moment(milliseconds: 1)), "TIMESTAMP"),
      (.reference(ReferenceValue(record: "r")), "REFERENCE"), (.list(.string, [word]), "STRING_LIST"),
      (.location(LocationValue(latitude: 1, longitude: 2)), "LOCATION"),
    ] {
      #expect(
        refusal { try alice.save(RecordSave(id: alice.id("r"), type: "Thing", fields: ["string": value])) }
          == "12/2006 invalid attempt to set value type \(type) for field 'string' for type 'Thing', defined to be: STRING"
      )
    }
    for (field, value, expected) in [
      (
        "secret", FieldValue.bytes([1]),
        "invalid attempt to set value type ENCRYPTED_BYTES for field 'secret' for type 'Thing', defined to be: "
          + "ENCRYPTED_STRING"
      ),
      (
        "string", word,
        "Attempt to save encrypted data in non encrypted field type (field 'string' in record type 'Thing')"
      ),
    ] {
      var save = RecordSave(id: alice.id("r"), type: "Thing")
      save.encryptedFields = [field: value]
      #expect(refusal { try alice.save(save) } == "12/2006 " + expected)
    }
    #expect(code { try alice.fetch("r") } == .unknownItem)
  }
}
