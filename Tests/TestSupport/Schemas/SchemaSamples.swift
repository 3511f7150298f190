/// Schema texts to mutate. Together they contain every part of the language ([schema-text-1] and following).
package enum SchemaSamples {
  package static let texts = [
    "DEFINE SCHEMA",
    "DEFINE SCHEMA RECORD TYPE Note ( text STRING QUERYABLE SEARCHABLE SORTABLE, rank INT64 QUERYABLE SORTABLE );",
    """
    DEFINE SCHEMA

        CREATE ROLE editor;

        RECORD TYPE Shelf (
            "___createTime" TIMESTAMP SORTABLE,
            "___createdBy"  REFERENCE,
            "___etag"       STRING,
            "___recordID"   REFERENCE QUERYABLE,
            label           STRING QUERYABLE SEARCHABLE SORTABLE,
            tags            LIST<STRING>,
            secret          ENCRYPTED STRING,
            secrets         LIST<ENCRYPTED BYTES>,
            GRANT WRITE TO "_creator",
            GRANT READ, CREATE TO "_icloud",
            GRANT READ, WRITE TO editor,
            GRANT READ TO "_world"
        );

        RECORD TYPE Users (
            "___modTime"    TIMESTAMP,
            "___modifiedBy" REFERENCE,
            roles           LIST<INT64>,
            GRANT WRITE TO "_creator",
            GRANT READ TO "_world"
        );

    """,
    "DEFINE SCHEMA RECORD TYPE \"cloudkit.share\" ( \"___recordID\" REFERENCE, \"cloudkit.title\" STRING );",
    "DEFINE SCHEMA RECORD TYPE T ( a NUMBER, b NUMBER PREFERRED AS DOUBLE SORTABLE, c LIST<NUMBER> );",
    "define schema record type T ( \"Grant\" int64, type string, record INT64, to DOUBLE, \"Queryable\" LOCATION );",
    "DEFINE SCHEMA // a comment\nRECORD TYPE T ( a -- another\n STRING /* a\nthird */ );",
    "DEFINE SCHEMA RECORD TYPE T ( a LOCATION QUERYABLE, b ASSET, c LIST<ASSET>, d LIST<LOCATION>, e BYTES );",
    "DEFINE SCHEMA RECORD TYPE A ( a STRING ); RECORD TYPE B ( a LIST<REFERENCE> QUERYABLE ); CREATE ROLE r;",
    "DEFINE SCHEMA RECORD TYPE T ( GRANT READ, CREATE, WRITE TO \"_icloud\", a TIMESTAMP QUERYABLE SORTABLE );",
    "DEFINE SCHEMA RECORD TYPE T (a STRING, a INT64);", "DEFINE SCHEMA RECORD TYPE T ( \u{e9}\u{1F600} STRING );",
  ]

  /// Pieces to repeat, which could exhaust a parser's resources.
  package static let repeated = [
    "(", "a", "\"", "LIST<", "/*", "*/", "--\n", "// x\n", "DEFINE SCHEMA ", ";", ",", " ", "\n", "a STRING, ",
    "GRANT ", "READ, ", "CREATE ROLE a; ", "ENCRYPTED ", "1", "\u{e9}", "\u{0}", "RECORD TYPE T (", "\"a\" ", "<", ">",
    "/", "-",
    "PREFERRED AS ",
  ]

  /// Beginnings before the repeated pieces. Some pieces are only valid after one of them.
  package static let beginnings = [
    "", "DEFINE SCHEMA ", "DEFINE SCHEMA RECORD TYPE T (", "DEFINE SCHEMA RECORD TYPE T (a ",
    "DEFINE SCHEMA RECORD TYPE T (a STRING, GRANT ", "DEFINE SCHEMA CREATE ROLE ",
  ]
}
