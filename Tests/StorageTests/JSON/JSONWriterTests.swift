import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite struct JSONWriterTests {
  private func compact(_ value: JSONValue) -> String { String(decoding: value.compact(), as: UTF8.self) }

  @Test func prettyForm() {
    let value: JSONValue = [
      "fields": ["title": ["value": "a/b", "type": "STRING"]], "empty": [], "none": [:],
      "list": [1, [2.5, .null], [:], true],
    ]
    #expect(
      String(decoding: value.pretty(), as: UTF8.self) == """
        {
          "empty": [],
          "fields": {
            "title": {
              "type": "STRING",
              "value": "a/b"
            }
          },
          "list": [
            1,
            [
              2.5,
              null
            ],
            {},
            true
          ],
          "none": {}
        }

        """)
    #expect(
      compact(value)
        == #"{"empty":[],"fields":{"title":{"type":"STRING","value":"a/b"}},"list":[1,[2.5,null],{},true],"none":{}}"#)
    #expect(value.description == compact(value))
    #expect(JSONValue.null.pretty() == Array("null\n".utf8))
    #expect(JSONValue.array([]).pretty() == Array("[]\n".utf8))
  }

  @Test(arguments: [
    ("", #""""#), ("\"\\", #""\"\\""#), ("a/b", #""a/b""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
    ("\0\u{1}\u{1F}\u{7F}", #""\u0000\u0001\u001f\u007f""#), ("é日😀", "\"é日😀\""),
    ("\u{80}\u{2028}\u{FEFF}", "\"\u{80}\u{2028}\u{FEFF}\""), ("\nmid\n", #""\nmid\n""#),
  ])
  func strings(string: String, text: String) {
    #expect(Array(text.utf8) == JSONValue.string(string).compact())
  }

  @Test(
    arguments: [
      (0, "0"), (-1, "-1"), (10, "10"), (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"),
      (.double(1), "1.0"), (.double(-0.0), "-0.0"), (.double(1e30), "1e+30"), (.double(0.1), "0.1"),
      (.double(0x1p53), "9007199254740992.0"), (.double(1e16), "1e+16"), (.double(.leastNonzeroMagnitude), "5e-324"),
      (.double(.nan), "null"),
      (.double(.infinity), "null"), (.double(-.infinity), "null"),
    ] as [(JSONValue, String)])
  func numbers(value: JSONValue, text: String) {
    #expect(compact(value) == text)
  }

  @Test(arguments: TestSeed.values(1...4))
  func randomValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let value = Self.value(depth: 4, &random)
      #expect(try JSONValue(parsing: value.pretty()) == value, "seed \(seed)")
      #expect(try JSONValue(parsing: value.compact()) == value, "seed \(seed)")
      #expect(try JSONValue(parsing: value.pretty()).pretty() == value.pretty(), "seed \(seed)")
      #expect(!value.compact().contains(UInt8(ascii: "\n")), "seed \(seed)")
    }
  }

  private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 3:
      let double = Double(bitPattern: random.next())
      return .double(double.isFinite ? double : 0.5)
    case 4: return .double(Double(Int.random(in: -1000...1000, using: &random)))
    case 5: return .string(random.string(upTo: 20))
    case 6: return .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        object[random.string(upTo: 5)] = value(depth: depth - 1, &random)
      }
      return .object(object)
    }
  }
}
