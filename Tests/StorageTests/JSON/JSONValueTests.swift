import Testing

@testable import LocalCloudStorage

@Suite struct JSONValueTests {
  @Test func accessors() {
    let value: JSONValue = ["s": "x", "i": 7, "d": 1.5, "b": true, "n": .null, "a": [1], "o": ["k": "v"]]
    #expect(value["s"]?.string == "x")
    #expect(value["i"]?.integer == 7)
    #expect(value["i"]?.int == 7)
    #expect(value["i"]?.double == 7)
    #expect(value["d"]?.double == 1.5)
    #expect(value["d"]?.integer == nil)
    #expect(value["b"]?.bool == true)
    #expect(value["b"]?.integer == nil)
    #expect(value["n"]?.isNull == true)
    #expect(value["n"]?.string == nil)
    #expect(value["a"]?.array == [1])
    #expect(value["o"]?["k"]?.string == "v")
    #expect(value["o"]?.object?.count == 1)
    #expect(value["missing"] == nil)
    #expect(value["n"] != nil)
    #expect(JSONValue.string("x")["s"] == nil)
  }

  @Test func kindsStayApart() {
    #expect(JSONValue.integer(1) != .double(1))
    #expect(JSONValue.bool(true) != .integer(1))
    #expect(JSONValue.null != .bool(false))
    #expect(Set<JSONValue>([1, 1.0, true, .null, "1", [1], ["1": 1], [], [:], ""]).count == 10)
  }

  @Test func normalFormsAreDistinct() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    #expect(JSONValue.string(composed) != .string(decomposed))
    #expect(Set([JSONValue.string(composed), .string(decomposed)]).count == 2)
    let object: JSONObject = [composed: 1, decomposed: 2]
    #expect(object.count == 2 && object[composed] == 1 && object[decomposed] == 2)
    #expect(object != [composed: 2, decomposed: 1])
    let value = JSONValue.object(object)
    #expect(try JSONValue(parsing: value.compact()) == value)
    #expect(value.compact() == Array("{\"e\u{301}\":2,\"\u{E9}\":1}".utf8))
  }

  @Test func objectsKeepTheirKeysInOrder() {
    var object: JSONObject = ["b": 1, "a": 2, "😀": 3, "\u{FFFF}": 4, "B": 5, "": 6, "a": 7]
    #expect(object.keys == ["", "B", "a", "b", "\u{FFFF}", "😀"])
    #expect(object["a"] == 7)
    object["a"] = nil
    object["absent"] = nil
    object["c"] = .null
    object["b"] = 8
    #expect(object.map(\.key) == ["", "B", "b", "c", "\u{FFFF}", "😀"])
    #expect(object["c"] == .some(.null))
    #expect(object["b"] == 8)
    #expect(!object.isEmpty)
    #expect(JSONObject().isEmpty)
    #expect(object.underestimatedCount == object.count)
  }

  @Test func equalityIgnoresTheOrderOfInsertion() {
    #expect(["a": 1, "b": 2] as JSONObject == ["b": 2, "a": 1])
    #expect((["a": 1, "b": 2] as JSONObject).hashValue == (["b": 2, "a": 1] as JSONObject).hashValue)
    #expect(["a": 1] as JSONObject != ["a": 1, "b": 2])
    #expect(["a": 1] as JSONObject != ["b": 1])
  }
}
