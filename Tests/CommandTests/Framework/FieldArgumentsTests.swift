import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite struct FieldArgumentsTests {
  private func field(_ word: String) throws -> JSONValue? {
    let fields = try FieldArguments(words: [word]).fields
    #expect(fields.count == 1)
    return fields.keys.first.flatMap { fields[$0] }
  }

  private func json(_ text: String) throws -> FieldArguments {
    try FieldArguments(json: Array(text.utf8), source: "--fields-json")
  }

  @Test("the argument recordName=… is refused with a hint at --name, and JSON fields accept a field of that name")
  func recordName() throws {
    let failure = try #require(throws: CommandFailure.self) { try FieldArguments(words: ["recordName=c"]) }
    #expect(failure.exitCode == .usage)
    #expect(failure.message.contains("recordName is the name of the record, not a field"))
    #expect(failure.hint?.hasPrefix("a new record is named by --name") == true)
    let json = try FieldArguments(json: Array(#"{"recordName": "c"}"#.utf8), source: "--fields-json")
    #expect(json.fields["recordName"] != nil)
  }

  @Test(
    arguments: [
      ("name=Ada", #"{"type":"STRING","value":"Ada"}"#),
      ("age=36", #"{"type":"STRING","value":"36"}"#),
      ("name=", #"{"type":"STRING","value":""}"#),
      ("equation=a=b:c", #"{"type":"STRING","value":"a=b:c"}"#),
      ("name=\u{301}x", "{\"type\":\"STRING\",\"value\":\"\u{301}x\"}"),
      ("age:int64=-9223372036854775808", #"{"type":"INT64","value":-9223372036854775808}"#),
      ("ratio:double=1.5", #"{"type":"DOUBLE","value":1.5}"#),
      ("ratio:double=3", #"{"type":"DOUBLE","value":3.0}"#),
      ("when:timestamp=2026-01-31T12:00:00Z", #"{"type":"TIMESTAMP","value":1769860800000}"#),
      ("when:timestamp=2026-01-31T13:00:00.25+01:00", #"{"type":"TIMESTAMP","value":1769860800250}"#),
      ("when:timestamp=2026-01-31T12:00:00.1234567Z", #"{"type":"TIMESTAMP","value":1769860800123.4567}"#),
      ("when:timestamp=1769860800123.4567", #"{"type":"TIMESTAMP","value":1769860800123.4567}"#),
      ("when:timestamp=-1", #"{"type":"TIMESTAMP","value":-1}"#),
      ("data:bytes=aGVsbG8=", #"{"type":"BYTES","value":"aGVsbG8="}"#),
      ("friend:reference=r", #"{"type":"REFERENCE","value":{"action":"NONE","recordName":"r"}}"#),
      ("owner:deleteSelf=r", #"{"type":"REFERENCE","value":{"action":"DELETE_SELF","recordName":"r"}}"#),
      ("owner:validate=r", #"{"type":"REFERENCE","value":{"action":"VALIDATE","recordName":"r"}}"#),
      ("data:bytes=aGk=", #"{"type":"BYTES","value":"aGk="}"#),
      ("data:bytes=+/AZaz09", #"{"type":"BYTES","value":"+/AZaz09"}"#),
      ("data:bytes=aA==", #"{"type":"BYTES","value":"aA=="}"#),
      ("where:location=90,180", #"{"type":"LOCATION","value":{"latitude":90.0,"longitude":180.0}}"#),
      ("where:location=-90,-180", #"{"type":"LOCATION","value":{"latitude":-90.0,"longitude":-180.0}}"#),
      ("where:location=-12.3,45", #"{"type":"LOCATION","value":{"latitude":-12.3,"longitude":45.0}}"#),
      (#"tags:json=["a","b"]"#, #"{"type":"STRING_LIST","value":["a","b"]}"#),
      ("n:json=[1,2.5]", #"{"type":"DOUBLE_LIST","value":[1.0,2.5]}"#),
      ("n:json=[]", #"{"value":[]}"#),
      ("n:json=null", #"{"value":null}"#),
      ("n:null=", #"{"value":null}"#),
      (#"r:json=[{"recordName":"x"}]"#, #"{"type":"REFERENCE_LIST","value":[{"action":"NONE","recordName":"x"}]}"#),
      (#"t:timestamp-list=["1970-01-01T00:00:01Z",5]"#, #"{"type":"TIMESTAMP_LIST","value":[1000,5]}"#),
      ("note:encrypted=x", #"{"isEncrypted":true,"type":"STRING","value":"x"}"#),
      ("n:encrypted-int64-list=[1]", #"{"isEncrypted":true,"type":"INT64_LIST","value":[1]}"#),
    ] as [(String, String)])
  func words(_ word: String, _ expected: String) throws {
    #expect(try field(word) == JSONValue(parsing: expected))
  }

  @Test(
    arguments: [
      ("name", "field \"name\": expected name=value"),
      ("=x", "field \"=x\": the name is missing"),
      ("a:int64=1.5", "field \"a:int64=1.5\": \"1.5\" is not a whole number of 64 bits"),
      (
        "a:int64=9223372036854775808",
        "field \"a:int64=9223372036854775808\": \"9223372036854775808\" is not a whole number of 64 bits"
      ),
      ("a:double=nan", "field \"a:double=nan\": \"nan\" is not a number"),
      ("a:bytes=abc", "field \"a:bytes=abc\": \"abc\" is not base64 (standard alphabet, padded with =)"),
      (
        "a:timestamp=2026-01-31T12:00:00",
        "field \"a:timestamp=2026-01-31T12:00:00\": \"2026-01-31T12:00:00\" is not a time: "
          + "the time zone is missing, as in 2026-01-31T12:00:00Z"
      ),
      (
        "a:timestamp=2026-02-29Z",
        "field \"a:timestamp=2026-02-29Z\": \"2026-02-29Z\" is not a time: there is no such day"
      ),
      ("a:location=91,0", "field \"a:location=91,0\": the latitude 91 is not between -90 and 90"),
      ("a:location=0,-181", "field \"a:location=0,-181\": the longitude -181 is not between -180 and 180"),
      (
        "a:location=1",
        "field \"a:location=1\": \"1\" is not a location: expected latitude,longitude such as 48.2,16.37"
      ),
      ("a:bytes=a===", "field \"a:bytes=a===\": \"a===\" is not base64 (standard alphabet, padded with =)"),
      ("a:bytes=ab-_", "field \"a:bytes=ab-_\": \"ab-_\" is not base64 (standard alphabet, padded with =)"),
      ("a:double=0x10", "field \"a:double=0x10\": \"0x10\" is not a number"),
      ("a:double=1e999", "field \"a:double=1e999\": \"1e999\" is not a number"),
      ("a:asset=", "field \"a:asset=\": an asset needs the path of a file"),
      ("a:reference=", "field \"a:reference=\": a reference needs the name of a record"),
      ("a:deleteSelf=", "field \"a:deleteSelf=\": a reference needs the name of a record"),
      ("a:int64-list=5", "field \"a:int64-list=5\": a list is written as JSON: a:int64-list=[…]"),
      ("a:json={", "field \"a:json={\": \"{\" is not JSON: expected a key in quotation marks, found the end"),
      ("a:json=[1,null]", "field \"a:json=[1,null]\": a list cannot hold null"),
      ("a:json=[[1]]", "field \"a:json=[[1]]\": a list cannot hold lists"),
      ("a:encrypted-asset=x", "field \"a:encrypted-asset=x\": a field of type asset cannot be encrypted"),
      ("a:json=true", "field \"a:json=true\": CloudKit has no booleans: write 0 or 1"),
      ("a:json=[1,\"x\"]", "field \"a:json=[1,\"x\"]\": a list holds values of one type, not INT64 and STRING"),
      ("a:null=x", "field \"a:null=x\": null takes no value: write a:null="),
      ("a:integer=1", "field \"a:integer=1\": there is no type \"integer\""),
      ("a:encrypted-reference=x", "field \"a:encrypted-reference=x\": a field of type reference cannot be encrypted"),
    ] as [(String, String)])
  func wrongWords(_ word: String, _ message: String) {
    let failure = #expect(throws: CommandFailure.self) { try FieldArguments(words: [word]) }
    #expect(failure?.message == message)
    #expect(failure?.exitCode == .usage)
  }

  @Test(
    "for an unknown field type the hint suggests the nearest known type",
    arguments: [
      ("a:int46=1", "did you mean \"int64\"?"), ("a:encrypted-int46=1", "did you mean \"encrypted-int64\"?"),
      ("a:int46-list=[1]", "did you mean \"int64-list\"?"), ("a:deleteself=x", "did you mean \"deleteSelf\"?"),
      ("a:xyzzy=1", "see \"localcloud help fields\""), ("a", "see \"localcloud help fields\""),
    ] as [(String, String)])
  func forAnUnknownFieldTypeTheHint(_ word: String, _ hint: String) {
    let failure = #expect(throws: CommandFailure.self) { try FieldArguments(words: [word]) }
    #expect(failure?.hint == hint)
  }

  @Test func twiceTheSameAndAssets() throws {
    for first in ["a=1", "a:asset=x"] {
      let twice = #expect(throws: CommandFailure.self) { try FieldArguments(words: [first, "a:int64=2"]) }
      #expect(twice?.message == "field \"a:int64=2\": a is given twice")
    }
    let arguments = try FieldArguments(words: ["photo:asset=a.jpg", #"all:asset-list=["b","c"]"#])
    #expect(arguments.fields.isEmpty)
    #expect(arguments.assets["photo"] == FieldAssets(source: .paths(["a.jpg"]), isList: false))
    #expect(arguments.assets["all"] == FieldAssets(source: .paths(["b", "c"]), isList: true))
  }

  @Test(
    arguments: [
      (#""Ada""#, #"{"type":"STRING","value":"Ada"}"#),
      ("36", #"{"type":"INT64","value":36}"#),
      (#"{"type":"TIMESTAMP","value":5}"#, #"{"type":"TIMESTAMP","value":5}"#),
      (#"{"value":[1]}"#, #"{"type":"INT64_LIST","value":[1]}"#),
      (#"{"type":"int64Type","value":6}"#, #"{"type":"INT64","value":6}"#),
      (#"{"type":"doubleType","value":6}"#, #"{"type":"DOUBLE","value":6.0}"#),
      (#"{"type":"stringListType","value":["a"]}"#, #"{"type":"STRING_LIST","value":["a"]}"#),
      (#"{"type":"emptyListType","value":[]}"#, #"{"value":[]}"#),
      (#"{"type":"timestampType","value":"1970-01-01T00:00:01Z"}"#, #"{"type":"TIMESTAMP","value":1000}"#),
      (
        #"{"type":"encryptedStringType","value":"x"}"#, #"{"isEncrypted":true,"type":"STRING","value":"x"}"#
      ),
      (
        #"{"type":"referenceType","value":{"recordName":"r","zone":"z","owner":"o"}}"#,
        #"{"type":"REFERENCE","value":{"action":"NONE","recordName":"r","#
          + #""zoneID":{"ownerRecordName":"o","zoneName":"z"}}}"#
      ),
      (
        #"{"type":"referenceType","value":{"recordName":"r"}}"#,
        #"{"type":"REFERENCE","value":{"action":"NONE","recordName":"r"}}"#
      ),
      (
        #"{"type":"referenceType","value":{"recordName":"r","action":"DELETE_SELF","zone":"z"}}"#,
        #"{"type":"REFERENCE","value":{"action":"DELETE_SELF","recordName":"r","zoneID":{"zoneName":"z"}}}"#
      ),
      (
        #"{"type":"locationType","value":{"latitude":1,"longitude":2,"timestamp":"1970-01-01T00:00:01Z"}}"#,
        #"{"type":"LOCATION","value":{"latitude":1,"longitude":2,"timestamp":1000}}"#
      ),
      (#"{"latitude":1.5,"longitude":2}"#, #"{"type":"LOCATION","value":{"latitude":1.5,"longitude":2}}"#),
      (
        #"{"recordName":"r","action":"VALIDATE"}"#,
        #"{"type":"REFERENCE","value":{"action":"VALIDATE","recordName":"r"}}"#
      ),
      (#"{"value":5,"isEncrypted":false}"#, #"{"type":"INT64","value":5}"#),
      (#"{"type":"emptyListType","value":null}"#, #"{"value":[]}"#),
      (#"{"type":"timestampType","value":1000}"#, #"{"type":"TIMESTAMP","value":1000}"#),
      (#"[1,2]"#, #"{"type":"INT64_LIST","value":[1,2]}"#),
      (#"[1.5,2]"#, #"{"type":"DOUBLE_LIST","value":[1.5,2.0]}"#),
      (#"{"type":"stringType","value":null}"#, #"{"value":null}"#),
    ] as [(String, String)])
  func jsonFields(_ value: String, _ expected: String) throws {
    #expect(try json("{\"f\":\(value)}").fields["f"] == JSONValue(parsing: expected))
  }

  @Test(
    arguments: [
      ("[]", "--fields-json is not a JSON object"),
      (#"{"f":{"type":"intType","value":1}}"#, #"--fields-json: field "f": there is no type "intType""#),
      (#"{"f":{"type":"int64Type","value":"1"}}"#, #"--fields-json: field "f": the value "1" is not of type INT64"#),
      (
        #"{"f":{"value":1,"typ":"INT64"}}"#,
        #"--fields-json: field "f": a field has no key "typ": expected "value", "type" and "isEncrypted""#
      ),
      (
        #"{"f":[{"a":1}]}"#,
        "--fields-json: field \"f\": an object is neither a field (\"value\"), "
          + "a reference (\"recordName\") nor a location"
      ),
      (#"{"":1}"#, #"--fields-json: field "": the name is missing"#),
      (
        #"{"f":{"value":5,"isEncrypted":true}}"#, #"--fields-json: field "f": an encrypted field needs its "type""#
      ),
      (#"{"f":{"value":5,"type":5}}"#, #"--fields-json: field "f": "type" is not a string"#),
      (
        #"{"f":{"latitude":1}}"#,
        "--fields-json: field \"f\": an object is neither a field (\"value\"), "
          + "a reference (\"recordName\") nor a location"
      ),
      (#"{"f":{"type":"emptyListType","value":[1]}}"#, #"--fields-json: field "f": an emptyListType is not empty"#),
      (
        #"{"f":{"type":"int64ListType","value":5}}"#,
        #"--fields-json: field "f": the value of a int64ListType is not a list"#
      ),
      (#"{"f":{"type":"referenceType","value":{}}}"#, #"--fields-json: field "f": a reference needs a "recordName""#),
      (
        #"{"f":{"type":"locationType","value":{"latitude":1}}}"#,
        #"--fields-json: field "f": a location needs "latitude" and "longitude""#
      ),
      (
        #"{"f":{"type":"locationType","value":{"longitude":1}}}"#,
        #"--fields-json: field "f": a location needs "latitude" and "longitude""#
      ),
      (
        #"{"f":{"type":"doubleType","value":"x"}}"#, #"--fields-json: field "f": the value "x" is not of type DOUBLE"#
      ),
      (
        #"{"f":{"type":"timestampType","value":true}}"#,
        #"--fields-json: field "f": the value true is not of type TIMESTAMP"#
      ),
      (
        #"{"f":{"type":"assetListType","value":["x",1]}}"#,
        #"--fields-json: field "f": an asset's value is a key of --asset-files"#
      ),
      (
        #"{"f":{"type":"encryptedReferenceType","value":{"recordName":"x"}}}"#,
        #"--fields-json: field "f": there is no type "encryptedReferenceType""#
      ),
      (#"{"f":{"type":"StringType","value":"x"}}"#, #"--fields-json: field "f": there is no type "StringType""#),
      (
        #"{"f":{"type":"encryptedstringType","value":"x"}}"#,
        #"--fields-json: field "f": there is no type "encryptedstringType""#
      ),
      (#"{"f":true}"#, #"--fields-json: field "f": CloudKit has no booleans: write 0 or 1"#),
    ] as [(String, String)])
  func wrongJSON(_ text: String, _ message: String) {
    let failure = #expect(throws: CommandFailure.self) { try json(text) }
    #expect(failure?.message == message)
  }

  @Test func sourcesAndPrecedence() throws {
    let run = ToolRun("record", "save", "T", "a=word", "--json", "--fields-stdin", input: #"{"a":"json","b":2}"#)
    let fields = try JSONValue(parsing: run.output)["fields"]
    #expect(fields?["a"]?["value"] == "word")
    #expect(fields?["b"]?["value"] == 2)
    let missing = ToolRun("record", "save", "T", "--fields-file", "/nowhere/fields.json")
    #expect(missing.code == .notFound)
    #expect(missing.error.contains("cannot read /nowhere/fields.json: No such file or directory"))
    #expect(ToolRun("record", "save", "T", "--fields-json", "{").error.contains("--fields-json is not JSON: line 1"))
    let asset = try json(#"{"p":{"type":"assetType","value":"key"}}"#)
    #expect(asset.assets["p"] == FieldAssets(source: .keys(["key"]), isList: false))
  }

  @Test func times() throws {
    for milliseconds: Int64 in [0, 1, -1, 1_769_860_800_250, -62_135_596_800_000, 951_782_400_000, 4_102_444_799_999] {
      #expect(try Timestamp.parse(Timestamp.text(milliseconds: milliseconds)) == milliseconds)
    }
    #expect(Timestamp.text(milliseconds: 951_782_400_000) == "2000-02-29T00:00:00.000Z")
    #expect(Timestamp.text(milliseconds: -1) == "1969-12-31T23:59:59.999Z")
    #expect(throws: Timestamp.Invalid.self) { try Timestamp.parse("2026-01-01T00:00:00.0001Z") }
    #expect(
      try Timestamp.moment("2026-01-01 00:00", allowingLocal: true).secondsSince2001.remainder(dividingBy: 60) == 0)
  }
}
