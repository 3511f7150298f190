import LocalCloudModel
import LocalCloudStorage
import Testing

@Suite("Values and queries as JSON")
struct ValueCodingTests {
  private func object(_ text: String) throws -> JSONObject {
    try #require(try JSONValue(parsing: text).object)
  }

  /// The field as it is read and written again; nil for null.
  private func read(_ field: String) throws -> String? {
    try FieldValue.parse(object(field), key: "f").map {
      String(decoding: JSONValue.object($0.field).compact(), as: UTF8.self)
    }
  }

  // [record-value-2], [record-json-1], [record-json-2]
  @Test(
    "values are read with current, old and missing type names",
    arguments: [
      (#"{"type":"STRING","value":"a"}"#, #"{"type":"STRING","value":"a"}"#),
      (#"{"type":"INT64","value":"-7"}"#, #"{"type":"INT64","value":-7}"#),
      (#"{"type":"NUMBER_INT64","value":7}"#, #"{"type":"INT64","value":7}"#),
      (#"{"type":"BOOLEAN","value":1}"#, #"{"type":"INT64","value":1}"#),
      (#"{"type":"DOUBLE","value":2}"#, #"{"type":"DOUBLE","value":2.0}"#),
      (#"{"type":"DOUBLE","value":"2.5"}"#, #"{"type":"DOUBLE","value":2.5}"#),
      (#"{"type":"TIMESTAMP","value":1500}"#, #"{"type":"TIMESTAMP","value":1500}"#),
      (#"{"type":"TIMESTAMP","value":"1500"}"#, #"{"type":"TIMESTAMP","value":1500}"#),
      (#"{"type":"BYTES","value":"AQI="}"#, #"{"type":"BYTES","value":"AQI="}"#),
      (
        #"{"type":"REFERENCE","value":{"recordName":"r"}}"#,
        #"{"type":"REFERENCE","value":{"action":"NONE","recordName":"r"}}"#
      ),
      (
        #"{"value":{"recordName":"r","action":"DELETE_SELF","zoneID":{"zoneName":"Z","ownerName":"o"}}}"#,
        #"{"type":"REFERENCE","value":{"action":"DELETE_SELF","recordName":"r","#
          + #""zoneID":{"ownerRecordName":"o","zoneName":"Z"}}}"#
      ),
      (
        #"{"type":"LOCATION","value":{"latitude":1,"longitude":2,"speed":3,"timestamp":4}}"#,
        #"{"type":"LOCATION","value":{"latitude":1.0,"longitude":2.0,"speed":3.0,"timestamp":4}}"#
      ),
      (
        #"{"value":{"latitude":1,"longitude":2,"altitude":3,"course":4,"horizontalAccuracy":5,"verticalAccuracy":6}}"#,
        #"{"type":"LOCATION","value":{"altitude":3.0,"course":4.0,"horizontalAccuracy":5.0,"latitude":1.0,"#
          + #""longitude":2.0,"verticalAccuracy":6.0}}"#
      ),
      (#"{"value":"a"}"#, #"{"type":"STRING","value":"a"}"#),
      (#"{"value":7}"#, #"{"type":"INT64","value":7}"#),
      (#"{"value":7.5}"#, #"{"type":"DOUBLE","value":7.5}"#),
      (#"{"value":true}"#, #"{"type":"INT64","value":1}"#),
      (#"{"value":false}"#, #"{"type":"INT64","value":0}"#),
      (#"{"value":["a","b"]}"#, #"{"type":"STRING_LIST","value":["a","b"]}"#),
      (#"{"value":[]}"#, #"{"type":"UNKNOWN_LIST","value":[]}"#),
      (#"{"type":"LIST","value":[1]}"#, #"{"type":"INT64_LIST","value":[1]}"#),
      (#"{"type":"EMPTY_LIST","value":[]}"#, #"{"type":"UNKNOWN_LIST","value":[]}"#),
      (#"{"type":"DOUBLE_LIST","value":[1,"2"]}"#, #"{"type":"DOUBLE_LIST","value":[1.0,2.0]}"#),
      (#"{"type":"UNKNOWN","value":7}"#, #"{"type":"INT64","value":7}"#),
      (
        #"{"value":{"fileChecksum":"0123456789abcdef0123456789abcdef-3","wrappingKey":"k"}}"#,
        #"{"type":"ASSETID","value":{"fileChecksum":"0123456789abcdef0123456789abcdef-3","size":3}}"#
      ),
      (
        #"{"type":"ASSET","value":{"fileChecksum":"0123456789abcdef0123456789abcdef-3","size":3}}"#,
        #"{"type":"ASSETID","value":{"fileChecksum":"0123456789abcdef0123456789abcdef-3","size":3}}"#
      ),
      (#"{"value":[true,false]}"#, #"{"type":"INT64_LIST","value":[1,0]}"#),
    ])
  func valuesAreReadWithCurrentOld(_ field: String, _ expected: String) throws {
    #expect(try read(field) == expected)
    // The written form is read as the same value.
    #expect(try read(expected) == expected)
  }

  @Test(
    "a value that does not fit its type is refused with the field's name ([record-value-1])",
    arguments: [
      (#"{}"#, "Field 'f' has no value"),
      (#"{"value":"x","type":"STRING","isEncrypted":true}"#, "Field 'f' is encrypted"),
      (#"{"value":1,"type":"STRING"}"#, "Invalid value for field 'f', expected type STRING"),
      (#"{"value":"x","type":"INT64"}"#, "Invalid value for field 'f', expected type INT64"),
      (#"{"value":1.5,"type":"INT64"}"#, "Invalid value for field 'f', expected type INT64"),
      (#"{"value":"nan","type":"DOUBLE"}"#, "Invalid value for field 'f', expected type DOUBLE"),
      (#"{"value":"inf","type":"DOUBLE"}"#, "Invalid value for field 'f', expected type DOUBLE"),
      (#"{"value":"now","type":"TIMESTAMP"}"#, "Invalid value for field 'f', expected type TIMESTAMP"),
      (#"{"value":"?","type":"BYTES"}"#, "Invalid value for field 'f', expected type BYTES"),
      (#"{"value":"r","type":"REFERENCE"}"#, "Invalid value for field 'f', expected type REFERENCE"),
      (#"{"value":{},"type":"REFERENCE"}"#, "Field 'f': a reference needs a recordName"),
      (
        #"{"value":{"recordName":"r","action":"CASCADE"},"type":"REFERENCE"}"#, "Field 'f': unknown action CASCADE"
      ),
      (#"{"value":{"latitude":1},"type":"LOCATION"}"#, "Invalid value for field 'f', expected type LOCATION"),
      (#"{"value":{"longitude":1}}"#, "Field 'f' has a value of no known type"),
      (#"{"value":{"fileChecksum":"x"},"type":"ASSET"}"#, "Invalid value for field 'f', expected type ASSETID"),
      (#"{"value":1,"type":"NUMBER"}"#, "Field 'f' has the unknown type NUMBER"),
      (#"{"value":[1],"type":"NUMBER_LIST"}"#, "Field 'f' has the unknown type NUMBER_LIST"),
      (#"{"value":1,"type":"STRING_LIST"}"#, "Field 'f': a list was expected"),
      (#"{"value":["a",1]}"#, "Field 'f': the elements of a list must be of one type"),
      (#"{"value":[null]}"#, "Field 'f' has a value of no known type"),
      (
        #"{"value":{"fileChecksum":"0123456789abcdef0123456789abcdef-3","size":4},"type":"ASSETID"}"#,
        "Invalid value for field 'f', expected type ASSETID"
      ),
      (#"{"value":{"recordName":1}}"#, "Field 'f': a reference needs a recordName"),
      (#"{"value":{"latitude":1,"longitude":"2"}}"#, "Field 'f' has a value of no known type"),
      (#"{"value":[[1],1]}"#, "Field 'f': the elements of a list must be of one type"),
      (#"{"value":9223372036854775808}"#, "Field 'f': 9223372036854775808 is no whole number of 64 bits"),
    ])
  func valueThatDoesNotFitItsType(_ field: String, _ message: String) throws {
    do {
      Issue.record("read as \(try read(field) ?? "nothing")")
    } catch let error as ServiceError {
      #expect(error.message == message)
      #expect(error.code == .invalidArguments)
    }
  }

  @Test("null removes a field ([record-json-2])") func nullRemovesAField() throws {
    #expect(try read(#"{"value":null}"#) == nil && read(#"{"type":"STRING","value":null}"#) == nil)
  }

  @Test(
    "a value's size counts its own bytes",
    arguments: [
      (#""ü""#, 2), ("7", 8), ("7.5", 8), (#"{"recordName":"name","zoneID":{"zoneName":"Zone"}}"#, 4),
      (#"{"latitude":1,"longitude":2}"#, 64), (#"["a","bc"]"#, 3), ("[1,2]", 16),
    ])
  func valuesSizeCountsItsOwnBytes(_ value: String, _ size: Int) throws {
    #expect(try FieldValue.parse(object(#"{"value":\#(value)}"#), key: "f")?.size == size)
  }

  // MARK: Queries

  @Test(
    "a query is read back as written ([query-json-1])",
    arguments: [
      #"{"recordType":"Note"}"#,
      #"{"matchesNothing":true,"recordType":"Note"}"#,
      #"{"filterBy":[{"comparator":"EQUALS","fieldName":"a","fieldValue":{"type":"INT64","value":1}}],"recordType":"Note"}"#,
      #"{"filterBy":[{"comparator":"NEAR","distance":5.0,"fieldName":"a","fieldValue":"#
        + #"{"type":"LOCATION","value":{"latitude":1.0,"longitude":2.0}}}],"recordType":"Note"}"#,
      #"{"filterBy":[{"comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"type":"STRING","value":"a"}}],"recordType":"N"}"#,
      #"{"recordType":"N","sortBy":[{"ascending":false,"fieldName":"a"},{"ascending":true,"fieldName":"b","#
        + #""relativeLocation":{"type":"LOCATION","value":{"latitude":1.0,"longitude":2.0}}}]}"#,
    ])
  func queryIsReadBackAsWritten(_ text: String) throws {
    let query = try #require(Query(object(text)))
    #expect(String(decoding: JSONValue.object(query.object).compact(), as: UTF8.self) == text)
  }

  // [query-json-1]
  @Test("filters and sorts accept systemFieldName, and sorts ascend by default") func otherSpellings() throws {
    let query = try #require(
      Query(
        object(
          #"{"recordType":"N","sortBy":[{"systemFieldName":"a"}],"filterBy":[{"systemFieldName":"b","comparator":"#
            + #""EQUALS","fieldValue":{"value":1}}]}"#)))
    #expect(query.sorts.map(\.key) == ["a"])
    #expect(query.sorts.allSatisfy { $0.ascending })
    #expect(query.condition.filters.map(\.key) == ["b"])
  }

  @Test(
    "an invalid query is refused",
    arguments: [
      "{}", #"{"recordType":1}"#, #"{"recordType":"N","sortBy":{}}"#, #"{"recordType":"N","sortBy":[1]}"#,
      #"{"recordType":"N","sortBy":[{}]}"#, #"{"recordType":"N","sortBy":[{"fieldName":"a","relativeLocation":1}]}"#,
      #"{"recordType":"N","sortBy":[{"fieldName":"a","relativeLocation":{"value":1}}]}"#,
      #"{"recordType":"N","filterBy":{}}"#, #"{"recordType":"N","filterBy":[1]}"#,
      #"{"recordType":"N","filterBy":[{"fieldName":"a","fieldValue":{"value":1}}]}"#,
      #"{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"SAME","fieldValue":{"value":1}}]}"#,
      #"{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"EQUALS"}]}"#,
      #"{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"EQUALS","fieldValue":{}}]}"#,
      #"{"recordType":"N","filterBy":[{"fieldName":1,"comparator":"EQUALS","fieldValue":{"value":1}}]}"#,
    ])
  func noQueries(_ text: String) throws {
    #expect(try Query(object(text)) == nil)
  }
}
