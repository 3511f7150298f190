import FaultInjection
import LocalCloudService
import TestSupport
import Testing

@Suite("Schema text")
struct SchemaTextTests {
  static let shelf = """
    DEFINE SCHEMA

        RECORD TYPE Shelf (
            "___createTime" TIMESTAMP,
            "___createdBy"  REFERENCE,
            "___etag"       STRING,
            "___modTime"    TIMESTAMP,
            "___modifiedBy" REFERENCE,
            "___recordID"   REFERENCE QUERYABLE,
            label           STRING QUERYABLE SEARCHABLE SORTABLE,
            rank            INT64 QUERYABLE SORTABLE,
            tags            LIST<STRING>,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

        RECORD TYPE Users (
            "___createTime" TIMESTAMP,
            "___createdBy"  REFERENCE,
            "___etag"       STRING,
            "___modTime"    TIMESTAMP,
            "___modifiedBy" REFERENCE,
            "___recordID"   REFERENCE,
            roles           LIST<INT64>,
            GRANT WRITE TO "_creator",
            GRANT READ TO "_world"
        );

    """

  /// Valid texts, each with a line that its export contains.
  static let good: [(text: String, line: String)] = [
    ("DEFINE SCHEMA", "    RECORD TYPE Users ("),
    ("define schema record type T (a string);", "        a               STRING"),
    ("DEFINE SCHEMA RECORD TYPE T (\"title\" STRING);", "        title           STRING"),
    ("DEFINE SCHEMA RECORD TYPE \"T\" (a INT64);", "    RECORD TYPE T ("),
    ("DEFINE SCHEMA RECORD TYPE T (\"Grant\" INT64);", "        \"Grant\"         INT64"),
    ("DEFINE SCHEMA RECORD TYPE T (type STRING, record INT64, to DOUBLE);", "        to              DOUBLE,"),
    (
      "DEFINE SCHEMA // a comment\nRECORD TYPE T (a -- another\n STRING /* a\nthird */);",
      "        a               STRING"
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED STRING);", "        a               ENCRYPTED STRING"),
    ("DEFINE SCHEMA RECORD TYPE T (a LIST<ENCRYPTED BYTES>);", "        a               LIST<ENCRYPTED BYTES>"),
    ("DEFINE SCHEMA RECORD TYPE T (a NUMBER);", "        a               NUMBER"),
    (
      "DEFINE SCHEMA RECORD TYPE T (a NUMBER PREFERRED AS DOUBLE SORTABLE);",
      "        a               NUMBER PREFERRED AS DOUBLE SORTABLE"
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a STRING SORTABLE QUERYABLE);", "        a               STRING QUERYABLE SORTABLE"),
    ("DEFINE SCHEMA RECORD TYPE T (a LOCATION QUERYABLE, b ASSET);", "        b               ASSET"),
    (
      "DEFINE SCHEMA CREATE ROLE editor; RECORD TYPE T (GRANT READ, WRITE TO editor);",
      "        GRANT READ, WRITE TO editor"
    ),
    ("DEFINE SCHEMA CREATE ROLE editor;", "    CREATE ROLE editor;"),
    (
      "DEFINE SCHEMA RECORD TYPE T (GRANT WRITE, READ TO \"_icloud\", GRANT CREATE TO \"_icloud\", a STRING);",
      "        GRANT READ, CREATE, WRITE TO \"_icloud\""
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (\"___createTime\" TIMESTAMP SORTABLE);",
      "        \"___createTime\" TIMESTAMP SORTABLE,"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE \"cloudkit.share\" (\"___recordID\" REFERENCE);",
      "        \"cloudkit.title\"              STRING,"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a BYTES SORTABLE QUERYABLE, b DOUBLE, c LOCATION, d REFERENCE QUERYABLE, e TIMESTAMP);",
      "        d               REFERENCE QUERYABLE"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a LIST<ASSET>, b LIST<LOCATION> QUERYABLE, c LIST<REFERENCE>);",
      "        b               LIST<LOCATION> QUERYABLE"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a LIST < STRING > SORTABLE SEARCHABLE);",
      "        a               LIST<STRING> SEARCHABLE SORTABLE"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a LIST<NUMBER PREFERRED AS INT64>);",
      "        a               LIST<NUMBER PREFERRED AS INT64>"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED LOCATION, b ENCRYPTED TIMESTAMP, c ENCRYPTED DOUBLE);",
      "        b               ENCRYPTED TIMESTAMP"
    ),
    ("DEFINE SCHEMA RECORD TYPE T (\"sortable\" STRING SORTABLE);", "        \"sortable\"      STRING SORTABLE"),
    ("DEFINE SCHEMA RECORD TYPE Users (nick STRING QUERYABLE);", "        nick            STRING QUERYABLE"),
    ("DEFINE SCHEMA\r\nRECORD TYPE T\r\n(\r\na STRING\r\n);\r\n", "        a               STRING"),
    (
      "DEFINE SCHEMA RECORD TYPE T (aVeryLongFieldNameIndeed INT64, b INT64);", "        b                        INT64"
    ),
    (
      "DEFINE SCHEMA CREATE ROLE b; CREATE ROLE a; RECORD TYPE T (GRANT READ TO a, GRANT WRITE TO \"b\");",
      "    CREATE ROLE a;"
    ),
    ("DEFINE SCHEMA -- nothing yet", "    RECORD TYPE Users ("),
    (
      "DEFINE SCHEMA RECORD TYPE T (\"___recordID\" REFERENCE QUERYABLE, \"___modifiedBy\" REFERENCE QUERYABLE);",
      "        \"___modifiedBy\" REFERENCE QUERYABLE"
    ),
  ]

  // [schema-text-1], [schema-text-2], [schema-text-3], [schema-text-4], [schema-text-8]
  @Test("a valid text can be parsed, and its export is parsed as the same schema", arguments: good.indices)
  func validTextCanBeParsed(index: Int) throws {
    let (text, line) = Self.good[index]
    let schema = try Schema(text: text)
    let lines = schema.text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0 == line || $0 == line + "," }, "\(schema.text)")
    #expect(try Schema(text: schema.text) == schema)
  }

  @Test("the corpus has enough texts, and no text twice") func corpusHasEnoughTextsAndNoText() {
    #expect(Set(Self.good.map(\.text) + Self.bad.map(\.text)).count == Self.good.count + Self.bad.count)
    #expect(Self.good.count >= 30)
    #expect(Self.bad.count >= 40)
  }

  @Test("an export has the form of Apple's, byte for byte ([schema-text-8])") func exportHasTheFormOfAppleS() throws {
    #expect(try Schema(text: Self.shelf).text == Self.shelf)
  }

  /// Invalid texts, with the beginning of each error message.
  static let bad: [(text: String, message: String)] = [
    ("", "Encountered \"<EOF>\" at line 1, column 1.\nWas expecting:\n    \"DEFINE\" ..."),
    ("DEFINE", "Encountered \"<EOF>\" at line 1, column 7.\nWas expecting:\n    \"SCHEMA\" ..."),
    (
      "DEFINE SCHEMA\nRECORD TYPE T (\n  a BADTYPE\n);",
      "Encountered \" <IDENTIFIER> \"BADTYPE \"\" at line 3, column 5.\nWas expecting one of:\n    \"LIST\" ..."
    ),
    (
      "DEFINE SCHEMA RECORD TYPE cloudkit.share ();",
      "Encountered \" \".\" \". \"\" at line 1, column 35.\nWas expecting:\n    \"(\" ..."
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a STRING,);", "Encountered \" \")\" \") \"\" at line 1, column 39."),
    (
      "DEFINE SCHEMA RECORD TYPE T (a STRING)",
      "Encountered \"<EOF>\" at line 1, column 39.\nWas expecting:\n    \";\" ..."
    ),
    ("DEFINE SCHEMA RECORD TYPE T (grant STRING);", "Encountered \" \"STRING\" \"STRING \"\""),
    (
      "DEFINE SCHEMA RECORD TYPE T (queryable STRING);",
      "Encountered \" \"QUERYABLE\" \"queryable \"\" at line 1, column 30."
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a STRING, a INT64);", "The field 'a' of the record type 'T' is defined twice"),
    ("DEFINE SCHEMA RECORD TYPE T (a STRING); RECORD TYPE T (b STRING);", "The record type 'T' is defined twice"),
    ("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED ASSET);", "Encountered \" \"ASSET\" \"ASSET \"\""),
    (
      "DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED STRING QUERYABLE);",
      "The field 'a' of type ENCRYPTED STRING can't be QUERYABLE"
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a ASSET QUERYABLE);", "The field 'a' of type ASSET can't be QUERYABLE"),
    ("DEFINE SCHEMA RECORD TYPE T (a INT64 SEARCHABLE);", "The field 'a' of type INT64 can't be SEARCHABLE"),
    ("DEFINE SCHEMA RECORD TYPE T (\"___etag\" INT64);", "The system field '___etag' has the type STRING"),
    ("DEFINE SCHEMA RECORD TYPE T (\"___nothing\" STRING);", "There is no system field '___nothing'"),
    ("DEFINE SCHEMA RECORD TYPE T (GRANT READ TO nobody);", "There is no role 'nobody'"),
    ("DEFINE SCHEMA RECORD TYPE T (GRANT DELETE TO \"_world\");", "Encountered \" <IDENTIFIER> \"DELETE \"\""),
    ("DEFINE SCHEMA RECORD TYPE 1T (a STRING);", "'1T' is no record type"),
    ("DEFINE SCHEMA RECORD TYPE T (é STRING);", "Encountered \" \"é\" \"é \"\" at line 1, column 30."),
    ("DEFINE SCHEMA RECORD TYPE T (\"a STRING);", "The quoted name that begins here has no end."),
    ("DEFINE SCHEMA /* RECORD TYPE T", "The comment that begins here has no end."),
    ("DEFINE SCHEMA CREATE ROLE \"_world\";", "'_world' is no name for a role"),
    ("DEFINE SCHEMA CREATE ROLE a; CREATE ROLE a;", "The role 'a' is created twice"),
    ("DEFINE SCHEMA RECORD TYPE T (a LIST<LIST<STRING>>);", "Encountered \" \"LIST\" \"LIST \"\""),
    ("DEFINE SCHEMA RECORD TYPE T (a NUMBER PREFERRED AS STRING);", "Encountered \" \"STRING\" \"STRING \"\""),
    (
      "DEFINE SCHEMA RECORD TYPE T ();",
      "Encountered \" \")\" \") \"\" at line 1, column 30.\nWas expecting one of:\n    \"GRANT\" ..."
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a STRING b STRING);",
      "Encountered \" <IDENTIFIER> \"b \"\" at line 1, column 39.\nWas expecting:\n    \")\" ..."
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a.b STRING);", "Encountered \" \".\" \". \"\" at line 1, column 31."),
    (
      "DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED NUMBER);",
      "Encountered \" \"NUMBER\" \"NUMBER \"\" at line 1, column 42."
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a LIST<STRING);",
      "Encountered \" \")\" \") \"\" at line 1, column 43.\nWas expecting:\n    \">\" ..."
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (GRANT READ \"_world\");",
      "Encountered \" <QUOTED_IDENTIFIER> \"\\\"_world\\\" \"\" at line 1, column 41.\nWas expecting:\n    \"TO\" ..."
    ),
    ("DEFINE SCHEMA CREATE ROLE;", "Encountered \" \";\" \"; \"\" at line 1, column 26."),
    (
      "DEFINE SCHEMA DROP TYPE T;",
      "Encountered \" <IDENTIFIER> \"DROP \"\" at line 1, column 15.\nWas expecting one of:\n    \"CREATE\" ..."
    ),
    (
      "RECORD TYPE T (a STRING);",
      "Encountered \" \"RECORD\" \"RECORD \"\" at line 1, column 1.\nWas expecting:\n    \"DEFINE\" ..."
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (a STRING) RECORD TYPE U (b STRING);",
      "Encountered \" \"RECORD\" \"RECORD \"\" at line 1, column 40.\nWas expecting:\n    \";\" ..."
    ),
    ("DEFINE SCHEMA RECORD TYPE T (a REFERENCE SORTABLE);", "The field 'a' of type REFERENCE can't be SORTABLE"),
    ("DEFINE SCHEMA RECORD TYPE T (a LIST<INT64> SORTABLE);", "The field 'a' of type LIST<INT64> can't be SORTABLE"),
    (
      "DEFINE SCHEMA RECORD TYPE T (\"___createTime\" STRING);",
      "The system field '___createTime' has the type TIMESTAMP"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE T (\"___etag\" STRING, \"___etag\" STRING);",
      "The field '___etag' of the record type 'T' is defined twice"
    ),
    ("DEFINE SCHEMA RECORD TYPE T (_a STRING);", "There is no system field '_a'"),
  ]

  // [schema-text-2], [schema-text-4], [schema-text-5], [schema-text-6], [schema-text-7], [schema-text-9]
  @Test("the error of an invalid text names the problem with line and column", arguments: bad.indices)
  func errorOfAnInvalidTextNames(
    index: Int
  ) throws {
    let (text, message) = Self.bad[index]
    let error = try #require(throws: SchemaTextError.self) { _ = try Schema(text: text) }
    #expect(error.message.hasPrefix(message), "\(error.message)")
  }

  /// Uses a fixed seed. The long form, `Stress schemas`, uses new ones. In a process of its own, whose memory it measures.
  @Test("20,000 mutated texts give an error with a position, or a schema that survives export and parsing")
  func mutatedTextsGiveAnError() async {
    await #expect(processExitsWith: .success) {
      var run = MutationRun(MutatedSchemas.self, count: 20_000, seed: TestSeed.value(7), largest: 50_000)
      let report = run.run()
      #expect(report.problems == [], "\(report)")
      #expect(report.cases == 20_000, "\(report)")
      #expect(report.accepted > 1000, "\(report)")
      #expect(report.evaluated == report.accepted, "\(report)")
    }
  }

  @Test(
    "texts of 300 kB with a repeated part are parsed in a time that grows with their length",
    arguments: SchemaSamples.repeated)
  func textsOf300KBWithARepeated(_ piece: String) {
    for beginning in SchemaSamples.beginnings {
      let text = beginning + String(repeating: piece, count: 300_000 / piece.utf8.count)
      let time = processorTime { _ = try? Schema(text: text) }
      #expect(time < .seconds(20), "\(beginning)\(piece)")
    }
  }
}
