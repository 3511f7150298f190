import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-1", -1), ("\t\r\n 12 \n", 12),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .decimal("9223372036854775808")),
      ("-9223372036854775809", .decimal("-9223372036854775809")),
      ("18446744073709551616", .decimal("18446744073709551616")), ("1.0", .double(1)), ("1e2", .double(100)),
      ("1E+2", .double(100)),
      ("1e-2", .double(0.01)), ("0.1", .double(0.1)), ("0e0", .double(0)), ("5e-324", .double(.leastNonzeroMagnitude)),
      ("1e-400", .double(0)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), ("[1,2]", [1, 2]), ("[1 , [ ] ,{}]", [1, [], [:]]),
      (#"{"a":1,"b":{"c":[null]}}"#, ["a": 1, "b": ["c": [.null]]]), (#"{"b":1,"a":2}"#, ["a": 2, "b": 1]),
      (#"{"":1}"#, ["": 1]),
      (#""""#, ""), (#""a\/b""#, "a/b"), (#""\"\\\b\f\n\r\t""#, "\"\\\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"),
      (#""\u00e9\u00E9x""#, "\u{E9}\u{E9}x"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
      ("\"é日😀\u{7F}\u{2028}\"", "é日😀\u{7F}\u{2028}"), (#""\uFEFF""#, "\u{FEFF}"), ("\"\u{FEFF}\"", "\u{FEFF}"),
      (#""é\né""#, "é\né"),
    ] as [(String, JSONValue)])
  func accepts(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "NULL", "True", "t", "undefined", "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01",
    "00",
    "1.", ".5", "-.5", "1.e1", "1e", "1e+", "1e1.5", "0x10", "1_000", "1 2", "1,", "--1", "1a", "1e400", "-1e400", "１",
    "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1}", "[]]", "[][]", "[1;2]",
    "{", "}", "{]", "{1:2}", "{a:1}", "{'a':1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#,
    #"{,"a":1}"#,
    #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a"::1}"#, #"{"a":1}}"#, #"{"a":1,"a":1}"#, #"{"b":1,"a":1,"b":2}"#,
    #"{"a":1,"\u0061":2}"#, #"{"c":1,"b":2,"a":3,"b":4}"#,
    "\"", "\"a", #""\"#, #""\""#, #""\x""#, #""\u""#, #""\u12""#, #""\u12"#, #""\u123g""#, #""\U0041""#, #""\u+123""#,
    #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\ud83d\u"#,
    #""\ud83d\"#, #""\ude00\ud83d""#, "\"\n\"", "\"\t\"", "\"\0\"", "\"a\\n\u{1F}\"", "'a'", "a", "\0", "1\0", "[1\0]",
    "\u{FEFF}1", "\u{FEFF}", "1\u{FEFF}", "\u{A0}1", "\u{B}1", "1\u{C}", "//a\n1", "/*a*/1", "1#a", "1 null",
    "\u{2028}1",
  ])
  func rejects(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xC3], [0xE2, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xF8, 0x88],
      [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF],
    ] as [[UInt8]])
  func rejectsWhatIsNotUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let escape = Array(#"\n"#.utf8)
    #expect(throws: JSONError.self) { try JSONValue(parsing: [quote] + bytes + [quote]) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: [quote] + bytes + escape + [quote]) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: [quote] + escape + bytes + [quote]) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array("{\"".utf8) + bytes + Array("\":1}".utf8)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
  }

  @Test func everyPrefixOfAnObjectIsAnError() {
    let text = Array(#"{"a":[1,-2.5e3,"\u00e9é\ud83d\ude00",true,false,null,{"b":{}}],"c":""}"#.utf8)
    #expect(throws: Never.self) { try JSONValue(parsing: text) }
    for end in text.indices {
      #expect(throws: JSONError.self) { try JSONValue(parsing: text[..<end]) }
    }
  }

  @Test func minusZeroKeepsItsSign() throws {
    #expect(try JSONValue(parsing: "-0.0").double?.sign == .minus)
    #expect(try JSONValue(parsing: "-0") == .integer(0))
  }

  @Test func depth() throws {
    func nested(_ count: Int) -> String { String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(64)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
    #expect(throws: Never.self) { try JSONValue(parsing: "1", maximumDepth: 0) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[]", maximumDepth: 0) }
    for opening in ["[", #"{"a":"#, #"[{"a":"#] {
      let bomb = String(repeating: opening, count: 100_000)
      #expect(throws: JSONError.self) { try JSONValue(parsing: bomb) }
      #expect(throws: JSONError.self) { try JSONValue(parsing: bomb, maximumDepth: .max) }
    }
  }

  @Test func keysInAHostileOrder() throws {
    let keys = (0..<20_000).map { String(99_999 - $0) }
    let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    #expect(try JSONValue(parsing: text).object?.keys == keys.reversed())
  }

  @Test func longNumbers() throws {
    #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "9", count: 400)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "1e" + String(repeating: "9", count: 10_000)) }
    #expect(try JSONValue(parsing: "0." + String(repeating: "3", count: 10_000)).double == 1.0 / 3)
    #expect(try JSONValue(parsing: "1e-" + String(repeating: "9", count: 100)) == .double(0))
  }

  @Test func positionsOfErrors() throws {
    func message(_ text: String) -> String? {
      do {
        _ = try JSONValue(parsing: text)
        return nil
      } catch { return "\(error) @\(error.offset)" }
    }
    #expect(message("{\n  \"a\": 1\n  \"é\": 2\n}") == "line 3, column 3: expected ‘,’ or ‘}’ @13")
    #expect(message("[\"é\" 1]") == "line 1, column 6: expected ‘,’ or ‘]’ @6")
    #expect(message("[1,\r\n") == "line 2, column 1: expected a value, found the end @5")
    #expect(message("1 x") == "line 1, column 3: expected nothing after the value @2")
    #expect(message(#"{"a":1,"a":2}"#) == "line 1, column 8: the key ‘a’ occurs twice @7")
    #expect(message(#"[{"b":1,"a":2,"b":3}]"#) == "line 1, column 2: the key ‘b’ occurs twice @1")
    #expect(message(#"{"\u001b[2J":1,"\u001b[2J":2}"#) == "line 1, column 16: a key occurs twice @15")
    #expect(message("") == "line 1, column 1: expected a value, found the end @0")
    #expect(message(#"["ab\q"]"#) == "line 1, column 5: no such escape @4")
    #expect(message(#"["ab"#) == "line 1, column 2: a string is not closed @1")
  }

  @Test func partOfABuffer() throws {
    let log = Array("{\"a\":1}\n{\"b\":2}\n[".utf8)
    #expect(try JSONValue(parsing: log[8..<15]) == ["b": 2])
    #expect(throws: JSONError.self) { try JSONValue(parsing: log[8..<17]) }
    let first = try log.withUnsafeBytes { try JSONValue(parsing: UnsafeRawBufferPointer(rebasing: $0[..<7])) }
    #expect(first == ["a": 1])
    #expect(throws: JSONError.self) { try JSONValue(parsing: UnsafeBufferPointer<UInt8>(start: nil, count: 0)) }
  }

  /// Bytes changed at random either fail or make a value that survives being written.
  @Test(arguments: TestSeed.values(1...4))
  func mutilatedInput(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = Array(#"{"a":[1,-2.5e3,"\u00e9é\ud83d\ude00",true,false,null,{"b":{}}],"c":"","d":0.1}"#.utf8)
    let alphabet = Array("{}[]\",:\\u0123456789eE+-. \ntfn\0".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF]
    for _ in 0..<5000 {
      var bytes = text
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = alphabet.randomElement(using: &random)!
        case 1: bytes.remove(at: index)
        default: bytes.insert(alphabet.randomElement(using: &random)!, at: index)
        }
      }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      #expect(try JSONValue(parsing: value.pretty()) == value, "seed \(seed)")
      #expect(try JSONValue(parsing: value.compact()) == value, "seed \(seed)")
    }
  }
}
