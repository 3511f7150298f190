import LocalCloudService
import TestSupport
import Testing

@Suite("Differences between two schemas, as text in order of names")
struct SchemaChangeTests {
  private func changes(_ old: String, _ new: String) throws -> [SchemaChange] {
    try Schema(text: "DEFINE SCHEMA " + old).changes(to: Schema(text: "DEFINE SCHEMA " + new))
  }

  @Test("added, removed and changed roles, types, fields, indexes of system fields and grants are listed")
  func addedRemovedAndChangedRolesTypesFields() throws {
    let old = """
      CREATE ROLE a; CREATE ROLE both;
      RECORD TYPE Old (x STRING);
      RECORD TYPE Thing (
        gone BYTES, n NUMBER, same STRING, t STRING QUERYABLE, u STRING,
        "___createTime" TIMESTAMP QUERYABLE, "___recordID" REFERENCE QUERYABLE, GRANT READ TO "_world"
      );
      """
    let new = """
      CREATE ROLE b; CREATE ROLE both;
      RECORD TYPE New (y INT64);
      RECORD TYPE Thing (
        n NUMBER PREFERRED AS DOUBLE, same STRING, t STRING SORTABLE, u INT64, v STRING SEARCHABLE,
        "___createTime" TIMESTAMP SORTABLE, "___modTime" TIMESTAMP QUERYABLE SORTABLE,
        GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud"
      );
      """
    let found = try changes(old, new)
    #expect(
      found.map(\.text) == [
        "- role a", "+ role b", "+ type New", "+ field New.y INT64", "- type Old", "- field Thing.gone BYTES",
        "~ field Thing.n: NUMBER -> NUMBER PREFERRED AS DOUBLE",
        "~ field Thing.t: STRING QUERYABLE -> STRING SORTABLE", "~ field Thing.u: STRING -> INT64",
        "+ field Thing.v STRING SEARCHABLE", "~ indexes of Thing.___createTime: QUERYABLE -> SORTABLE",
        "+ indexes of Thing.___modTime QUERYABLE SORTABLE", "- indexes of Thing.___recordID QUERYABLE",
        "~ grants of Thing: READ to _world -> READ,WRITE to _creator; CREATE to _icloud",
      ])
    let destructive = found.filter { !$0.isAdditive }.map(\.text)
    #expect(destructive == ["- type Old", "- field Thing.gone BYTES", "~ field Thing.u: STRING -> INT64"])
    #expect(try changes(new, new) == [] && changes(old, old) == [])
    #expect(
      try changes("RECORD TYPE A (x STRING);", "RECORD TYPE A (x STRING, GRANT READ TO \"_world\");").map(\.text)
        == ["+ grants of A READ to _world"])
    #expect(
      try changes("RECORD TYPE A (x STRING, GRANT READ TO \"_world\");", "RECORD TYPE A (x STRING);").map(\.text)
        == ["- grants of A READ to _world"])
  }

  @Test("a NUMBER may get a preferred type; every other change of a field's type is destructive")
  func numberMayGetAPreferredType() throws {
    let types = [
      "NUMBER", "NUMBER PREFERRED AS INT64", "NUMBER PREFERRED AS DOUBLE", "LIST<NUMBER>",
      "LIST<NUMBER PREFERRED AS INT64>", "INT64", "DOUBLE",
    ]
    let decided: Set<[Int]> = [[0, 1], [0, 2], [3, 4]]
    for old in types.indices {
      for new in types.indices where new != old {
        let found = try changes("RECORD TYPE A (x \(types[old]));", "RECORD TYPE A (x \(types[new]));")
        #expect(found.map(\.isAdditive) == [decided.contains([old, new])], "\(types[old]) -> \(types[new])")
      }
    }
  }

  // [schema-deploy-1]
  @Test("a deployment takes over development's definitions, and leaves those that only production has")
  func deploymentTakesOverDevelopmentsDefinitions() throws {
    let development = try Schema(
      text: "DEFINE SCHEMA CREATE ROLE a; RECORD TYPE A (x STRING QUERYABLE, y INT64); RECORD TYPE B (z STRING);")
    let production = try Schema(
      text: "DEFINE SCHEMA CREATE ROLE b; RECORD TYPE A (x STRING, w BYTES); RECORD TYPE C (z STRING);")
    let expected = try Schema(
      text: """
        DEFINE SCHEMA CREATE ROLE a; CREATE ROLE b; RECORD TYPE A (w BYTES, x STRING QUERYABLE, y INT64);
        RECORD TYPE B (z STRING); RECORD TYPE C (z STRING);
        """)
    #expect(development.deployed(to: production) == expected)
    let other = try Schema(text: "DEFINE SCHEMA RECORD TYPE A (x INT64, w BYTES);")
    #expect(other.conflicts(with: production).map(\.text) == ["~ field A.x: STRING -> INT64"])
    #expect(development.conflicts(with: production) == [])
  }
}
