extension FilterText {
  /// The text of `localcloud help filters`.
  static let help = """
    A filter is one word of the shell, "FIELD OPERATOR VALUE", as cktool has it. Of several, a record has to pass all. The \
    service answers only what the schema has an index for, and refuses the rest as iCloud does.

     == != < <= > >=           or EQUALS, NOT_EQUALS, LESS_THAN, …; = is the same as ==
     BEGINS_WITH               a prefix of a string
     IN                        one of a list: status IN ["open","late"]
     LIST_CONTAINS             a list that has the value
     LIST_CONTAINS_ANY         a list that has one of these; LIST_CONTAINS_ALL: all of these
     LIST_MEMBER_BEGINS_WITH   a list with a string of that prefix
     CONTAINS_ANY_TOKENS       words of a text; of all searchable fields where the field is self
     CONTAINS_ALL_TOKENS
     NEAR                      latitude,longitude,kilometres: place NEAR 48.2,16.37,10

    NOT_ before IN, BEGINS_WITH and the LIST_ words is their opposite. cktool itself knows the signs, NEAR, the two token \
    searches, LIST_CONTAINS_ANY and LIST_NOT_CONTAINS_ANY; "cktool" verbs take no others, and no =.

    What a value is, is guessed:

     6.123                     a double
     123                       a whole number
     2021-01-01                a date, in the local time zone; also 2021-01-01T12:00:00Z
     40.7,-74.0                a place
     ["a","b"]                 a list
     "text"                    a string, whatever it looks like; \\" and \\\\ stand for themselves
     anything else             a string

    A type says it: stringType:2021-01-01, doubleType:3, int64Type:3, timestampType:2021-01-01, locationType:40.7,-74.0, \
    bytesType:aGk=, referenceType:RECORD, stringListType:["a","b"]. Booleans are 0 and 1.

    System fields are recordName, createdTimestamp, modifiedTimestamp, createdUserRecordName, modifiedUserRecordName, \
    parent and share, with references where they name records: parent == referenceType:ada.
    """
}
