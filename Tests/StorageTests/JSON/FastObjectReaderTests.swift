import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("The fast JSON object reader compared with the parser")
struct FastObjectReaderTests {
  private func members(_ bytes: [UInt8]) -> JSONObject? {
    var result = JSONObject()
    let isPlain = bytes.withUnsafeBufferPointer {
      FastObjectReader.forEachMember(of: $0) { key, value in
        let key = String(decoding: key, as: UTF8.self)
        switch value {
        case .number(let digits): result[key] = .integer(Int64(String(decoding: digits, as: UTF8.self)) ?? -1)
        case .text(let text): result[key] = .string(String(decoding: text, as: UTF8.self))
        }
      }
    }
    return isPlain ? result : nil
  }

  @Test(
    "the fast reader reads texts and whole numbers in key order",
    arguments: [#"{"a":1}"#, #"{"a":"","b":"x y","c":999999999999999999,"d":0}"#, #"{"A":"<>{}[],:","a":12}"#])
  func fastReaderReadsTextsAndWholeNumbers(text: String) throws {
    #expect(try members(Array(text.utf8)) == JSONValue(parsing: text).object)
  }

  @Test(
    "the fast reader rejects every object that is not of its simple form",
    arguments: [
      "", "{", "{}", "[]", "1", #"{"a":1"#, #"{"a":1}x"#, #"{"a":1} "#, #" {"a":1}"#, #"{"a" :1}"#, #"{"a": 1}"#,
      #"{"a":1,}"#, #"{"b":1,"a":1}"#, #"{"a":1,"a":1}"#, #"{"a":-1}"#, #"{"a":01}"#, #"{"a":1.5}"#, #"{"a":1e3}"#,
      #"{"a":1000000000000000000}"#, #"{"a":true}"#, #"{"a":null}"#, #"{"a":[]}"#, #"{"a":{}}"#, #"{"a":"\u0041"}"#,
      #"{"a\n":1}"#, #"{"é":1}"#, #"{"a":"é"}"#, "{\"a\":\"\t\"}", #"{"":1}"#, #"{"a":}"#, #"{a:1}"#, #"{"a":"x}"#,
    ])
  func fastReaderRejectsEveryObject(text: String) {
    #expect(members(Array(text.utf8)) == nil)
  }

  @Test("if the fast reader accepts a randomly changed line, the parser reads the same", arguments: [TestSeed.value])
  func ifTheFastReaderAcceptsARandomly(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = Array(#"{"kind":"save","recordName":"n1","sequence":120,"shareAfter":"s"}"#.utf8)
    let alphabet = Array("{}[]\",:\\0129e-. \na\0".utf8) + [0x80, 0xC3, 0xFF]
    var found = 0
    for _ in 0..<20_000 {
      var bytes = text
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = alphabet.randomElement(using: &random)!
        case 1: bytes.remove(at: index)
        default: bytes.insert(alphabet.randomElement(using: &random)!, at: index)
        }
      }
      guard let object = members(bytes) else { continue }
      found += 1
      #expect(
        (try? JSONValue(parsing: bytes))?.object == object, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(found > 0, "seed \(seed)")
  }
}
