import Testing

@testable import LocalCloudStorage

@Suite("JSON error messages, and objects with many members")
struct JSONMessageTests {
  private func message(_ bytes: [UInt8], maximumDepth: Int = 64) -> String? {
    do throws(JSONError) {
      _ = try JSONValue(parsing: bytes, maximumDepth: maximumDepth)
      return nil
    } catch { return "\(error.message) @\(error.offset)" }
  }

  @Test(
    "a JSON error has the expected token and the byte offset",
    arguments: [
      ("\u{FEFF}1", "a byte order mark does not belong here @0"), ("tru", "expected a value @0"),
      ("[nul]", "expected a value @1"), ("[1}", "expected ‘,’ or ‘]’ @2"),
      ("[1", "expected ‘,’ or ‘]’, found the end @2"),
      ("{1:2}", "expected a key in quotation marks @1"), (#"{"a":1,}"#, "expected a key in quotation marks @7"),
      (#"{"a" 1}"#, "expected ‘:’ @5"), (#"{"a":1]"#, "expected ‘,’ or ‘}’ @6"),
      (#"{"a":1"#, "expected ‘,’ or ‘}’, found the end @6"), ("-", "expected a digit, found the end @1"),
      ("-x", "expected a digit @1"), ("1.x", "expected a digit @2"), ("1e+x", "expected a digit @3"),
      ("01", "a number begins with a needless 0 @0"), ("-01", "a number begins with a needless 0 @1"),
      ("[1e400]", "a number is too large @1"), ("\"a\tb\"", "a control character in a string must be escaped @2"),
      ("\"\\n\tb\"", "a control character in a string must be escaped @3"), ("[\"a\\n", "a string is not closed @1"),
      (#""\ud800""#, "half a surrogate pair @1"), (#""a\udc00""#, "half a surrogate pair @2"),
      (#""\ud800\u0041""#, "half a surrogate pair @1"),
      (#""\u12""#, "expected four hexadecimal digits after ‘\\u’ @1"),
      (#""\ud800\u12""#, "expected four hexadecimal digits after ‘\\u’ @7"), (#""\x""#, "no such escape @1"),
    ])
  func jsonErrorHasTheExpectedToken(text: String, expected: String) {
    #expect(message(Array(text.utf8)) == expected)
  }

  @Test("a string that is not UTF-8 is reported at its first byte, with and without escapes")
  func stringThatIsNotUTF8() {
    let quote = UInt8(ascii: "\"")
    #expect(message([quote, 0xFF, quote]) == "a string is not UTF-8 @0")
    #expect(message([0x20, quote, 0x5C, 0x6E, 0xFF, quote]) == "a string is not UTF-8 @1")
  }

  @Test("nesting is limited to the given depth and never exceeds 512")
  func nestingIsLimitedToTheGivenDepth() {
    func nested(_ count: Int) -> [UInt8] {
      Array((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
    }
    #expect(message(nested(1), maximumDepth: 1) == nil)
    #expect(message(nested(2), maximumDepth: 1) == "nested more than 1 deep @1")
    #expect(message(Array(#"[{"a":1}]"#.utf8), maximumDepth: 1) == "nested more than 1 deep @1")
    #expect(message(nested(512), maximumDepth: .max) == nil)
    #expect(message(nested(513), maximumDepth: .max) == "nested more than 512 deep @512")
  }

  @Test("a duplicate key is named in the error if it is short and printable")
  func duplicateKeyIsNamedInTheError() {
    func twice(_ key: String) -> String? { message(Array("{\"\(key)\":1,\"\(key)\":2}".utf8)) }
    let long = String(repeating: "k", count: 64)
    #expect(twice(long) == "the key ‘\(long)’ occurs twice @70")
    #expect(twice(long + "k") == "a key occurs twice @71")
    #expect(twice("~ ") == "the key ‘~ ’ occurs twice @8")
    #expect(twice("\u{7F}") == "a key occurs twice @7")
    #expect(twice("é") == "a key occurs twice @8")
  }

  @Test(
    "members of objects with many members can be found, changed, removed and inserted", arguments: [15, 16, 17, 40])
  func longObjects(count: Int) {
    func key(_ number: Int) -> String { "k\(1000 + 2 * number)" }
    var object = JSONObject((0..<count).map { (key($0), JSONValue.integer(Int64($0))) })
    #expect(object.count == count)
    for number in 0..<count {
      #expect(object[key(number)] == .integer(Int64(number)))
      #expect(object["k\(1001 + 2 * number)"] == nil)
    }
    #expect(object["a"] == nil)
    #expect(object["z"] == nil)
    #expect(object[""] == nil)
    object["k1003"] = true
    object[key(0)] = "first"
    object[key(2)] = nil
    #expect(object.count == count)
    #expect(object["k1003"] == true)
    #expect(object[key(0)] == "first")
    #expect(object[key(2)] == nil)
    #expect(object.keys == object.keys.sorted())
    #expect(Set(object.keys).count == count)
  }

  @Test("numbers with many digits are compared by their digits")
  func numbersWithManyDigitsAreCompared() {
    let (one, other) = (JSONValue.decimal("18446744073709551616"), JSONValue.decimal("18446744073709551617"))
    #expect(one != other)
    #expect(Set([one, other, one]).count == 2)
    #expect(one.double == other.double)
    #expect(one.isWhole)
    #expect(!JSONValue.decimal("1.5e30").isWhole)
    #expect(one != .string("18446744073709551616"))
    #expect(JSONValue.string("1").double == nil)
    #expect(!JSONValue.string("1").isWhole)
    #expect(one.int == nil)
  }
}
