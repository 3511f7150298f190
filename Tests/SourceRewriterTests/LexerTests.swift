import FaultInjection
import Foundation
import LocalCloudSourceRewriter
import Testing

@Suite("Tokens of a Swift source")
struct LexerTests {
  /// The texts of the tokens that are code.
  private func code(_ text: String) -> [String] {
    let source = SourceText(Array(text.utf8))
    return SwiftLexer.tokens(of: source.bytes).filter(\.isCode).map { source[$0.range] }
  }

  private func kinds(_ text: String) -> [SwiftToken.Kind] {
    SwiftLexer.tokens(of: Array(text.utf8)).filter(\.isCode).map(\.kind)
  }

  private static let texts: [(String, [String])] = [
    ("let a = b", ["let", "a", "=", "b"]),
    ("`class` `two words`.x", ["`class`", "`two words`", ".", "x"]),
    ("1 0x1F_p-3 1.5e+3 1...2 a.0.1", ["1", "0x1F_p-3", "1.5e+3", "1", ".", ".", ".", "2", "a", ".", "0", ".", "1"]),
    ("() -> Set<Set<Int>>?", ["(", ")", "->", "Set", "<", "Set", "<", "Int", ">", ">", "?"]),
    ("@objc(a:) #if #selector(x)", ["@", "objc", "(", "a", ":", ")", "#if", "#selector", "(", "x", ")"]),
    ("a // b\nc /* d /* e */ f */ g", ["a", "c", "g"]),
    (#""a \" b" c"#, [#""a \" b""#, "c"]),
    (#""a \(b("c")) d" e"#, [#""a \("#, "b", "(", #""c""#, ")", #") d""#, "e"]),
    (#""\(a)\("\(b)")""#, [#""\("#, "a", #")\("#, #""\("#, "b", #")""#, #")""#]),
    (##"#"a \(b) \#(c) " d"# e"##, [##"#"a \(b) \#("##, "c", ##") " d"#"##, "e"]),
    (###"##"a "# b"## c"###, [###"##"a "# b"##"###, "c"]),
    (##"#"""# x"##, [##"#"""#"##, "x"]),
    (
      "\"\"\"\n a \" \"\" \\(b)\n \\\"\"\" c\n \"\"\" d",
      ["\"\"\"\n a \" \"\" \\(", "b", ")\n \\\"\"\" c\n \"\"\"", "d"]
    ),
    ("\"\" a", ["\"\"", "a"]),
    ("\"open\nb", ["\"open", "b"]),
    ("let r = /a\"(b)/ c", ["let", "r", "=", "/a\"(b)/", "c"]),
    ("a / b / c", ["a", "/", "b", "/", "c"]),
    ("f(/x/)", ["f", "(", "/x/", ")"]),
    ("f(/) + (/)", ["f", "(", "/", ")", "+", "(", "/", ")"]),
    ("(a)/b/c", ["(", "a", ")", "/", "b", "/", "c"]),
    (##"#/a"/b/# c"##, [##"#/a"/b/#"##, "c"]),
    ("#/\n a\"\n/# c", ["#/\n a\"\n/#", "c"]),
    ("#!/usr/bin/swift \"\na", ["a"]),
    ("$0 _ é", ["$0", "_", "é"]),
  ]

  @Test("each text is split into the right tokens [rewrite-2]", arguments: texts)
  func eachTextIsSplitIntoTheRight(text: String, expected: [String]) {
    #expect(code(text) == expected)
  }

  @Test("tokens have the right kinds")
  func kindsOfTokens() {
    #expect(
      kinds("a `b` 1 \"c\" /d/ ( #if") == [
        .word, .escapedWord, .number, .string, .punctuation, .word, .punctuation, .punctuation, .pound,
      ])
    #expect(kinds("= /d/") == [.punctuation, .regularExpression])
  }

  @Test("positions count lines and bytes from 1, for every kind of line end")
  func positionsCountLinesAndBytesFrom1() {
    let source = SourceText(Array("a\r\né b\rc\n".utf8))
    #expect(source.position(0) == (1, 1))
    #expect(source.position(3) == (2, 1))
    #expect(source.position(6) == (2, 4))
    #expect(source.position(8) == (3, 1))
    #expect(source.position(10) == (4, 1))
  }

  @Test("the tokens of this repository's sources add up to the sources, and their brackets are balanced")
  func roundTrip() throws {
    for (path, bytes) in try Sources.all() {
      let tokens = SwiftLexer.tokens(of: bytes)
      #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound }, "\(path)")
      #expect(tokens.first?.range.lowerBound == 0, "\(path)")
      #expect(tokens.last?.range.upperBound == bytes.count, "\(path)")
      // A bracket within a wrongly read string or expression would be missing on one side.
      let brackets = tokens.filter { $0.kind == .punctuation }.compactMap {
        Sources.brackets[bytes[$0.range.lowerBound]]
      }
      #expect(brackets.reduce(0, +) == 0, "\(path)")
    }
  }

  @Test("the tokens of random bytes add up to these bytes")
  func randomBytes() {
    var random = SeededGenerator(seed: TestSeed.value(5))
    let pieces = [
      "\"", "\"\"\"", "#", "\\(", "\\#(", ")", "(", "/", "/*", "*/", "//", "\n", "\r\n", "`", "a", " ", "{", "}", "@",
      "1.", "é", "->", "#if",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let bytes = Array(text.joined().utf8)
      let tokens = SwiftLexer.tokens(of: bytes)
      #expect(tokens.flatMap { bytes[$0.range] } == bytes, "\(text.joined())")
      #expect(tokens.allSatisfy { !$0.range.isEmpty }, "\(text.joined())")
    }
  }
}
