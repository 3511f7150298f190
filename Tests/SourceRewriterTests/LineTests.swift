import FaultInjection
import LocalCloudSourceRewriter
import Testing

@Suite("Line numbers after rewriting")
struct LineTests {
  /// Tokens that are code, each with the number of newlines before it.
  private func lines(_ bytes: [UInt8]) -> [String: [Int]] {
    var (line, result) = (0, [String: [Int]]())
    for token in SwiftLexer.tokens(of: bytes) {
      let text = bytes[token.range]
      if token.isCode { result[String(decoding: text, as: UTF8.self), default: []].append(line) }
      line += text.count { $0 == UInt8(ascii: "\n") }
    }
    return result
  }

  private static let pieces = [
    "@objc(A) class A: NSManagedObject {", "}", "@NSManaged var a: Int16, b: Set<A>", "\n", "\n", "\n  ", "@objc",
    "func f() { ", "#selector(\nf\n)", "#keyPath(A.\nb)", "\"\\(#keyPath(A.b))\"", "// #selector(f)\n", "/* @objc\n */",
    "@objc(addItemsObject:)\n@NSManaged func addToItems(\n_ a: A)", "init(b: Int) { }", "\"\"\"\n @objc \\(1)\n \"\"\"",
    "\n#if os(iOS)\n", "\n#else\n", "\n#endif\n", "@objc protocol P {", "@objc\noptional\nfunc g()",
    "dynamic\nvar x = 1",
    "override\nprivate\ninit(entity: E, insertInto c: C?) {}", "extension A {", "(", ")", "{", ";", "enum O {",
  ]

  @Test("each token that stays is on its original line, in random sources [rewrite-1]")
  func eachTokenThatStays() {
    var random = SeededGenerator(seed: TestSeed.value(7))
    for _ in 0..<1000 {
      let count = Int.random(in: 0..<25, using: &random)
      let source = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined(separator: " ")
      let user = Array(rewrite(source).parts.user.utf8)
      let (before, after) = (lines(Array(source.utf8)), lines(user))
      // Inserted code can repeat these words on lines that already contain them.
      for word in ["a", "class", "func", "extension", "enum", "protocol", "addToItems", "x", "#if", "#endif"] {
        #expect(Set(before[word] ?? []) == Set(after[word] ?? []), "\(word) in \(source)")
      }
      #expect(source.utf8.count { $0 == 10 } == user.count { $0 == 10 }, "\(source)")
    }
  }

  private static let paths: [(path: String, literal: String)] = [
    ("/a \"b\"/\\.swift", "/a \\\"b\\\"/\\\\.swift"), ("/a\nb\r\nc.swift", "/a\\u{a}b\\u{d}\\u{a}c.swift"),
    ("/\\(a).swift", "/\\\\(a).swift"), ("/\t\u{1}\u{1B}\u{7F}.swift", "/\\u{9}\\u{1}\\u{1b}\\u{7f}.swift"),
    // A combining mark forms one character with the sign before it.
    ("/\"\u{301}\\\u{301}.swift", "/\\\"\u{301}\\\\\u{301}.swift"), ("/\"\"\".swift", "/\\\"\\\"\\\".swift"),
    ("/#\"a\"#/é\u{2028}\u{FEFF}\u{FFFD}.swift", "/#\\\"a\\\"#/é\u{2028}\u{FEFF}\u{FFFD}.swift"),
  ]

  @Test("the first line names the user's file, with any characters in its path [rewrite-14]", arguments: paths)
  func firstLineNamesTheUsersFile(path: String, literal: String) {
    let file = Rewriter.rewrite([SourceFile(path: path, bytes: Array("let a = 1".utf8))])[0]
    #expect(
      String(decoding: file.bytes, as: UTF8.self) == "#sourceLocation(file: \"\(literal)\", line: 1)\nlet a = 1")
  }

  @Test("a path is never read as code: the first line has the same tokens with every path [rewrite-14]")
  func pathTokens() {
    func kinds(_ path: String) -> [SwiftToken.Kind] {
      let bytes = Rewriter.rewrite([SourceFile(path: path, bytes: Array("let a = 1".utf8))])[0].bytes
      return SwiftLexer.tokens(of: bytes).map(\.kind)
    }
    for code in 1..<0x500 {
      guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
      #expect(kinds("/a\(scalar)(b)\(scalar)") == kinds("/a"), "U+\(String(code, radix: 16))")
    }
  }

  @Test("sources that compile on Linux are unchanged [rewrite-3]")
  func sourcesThatCompileOnLinuxAreUnchanged() throws {
    let files = try Sources.all().map { SourceFile(path: $0.path, bytes: $0.bytes) }
    #expect(files.count > 100)
    for (file, rewritten) in zip(files, Rewriter.rewrite(files)) {
      #expect(rewritten.diagnostics == [], "\(file.path)")
      let user = rewritten.bytes[(rewritten.bytes.firstIndex(of: 10) ?? 0)...].dropFirst()
      #expect(user.starts(with: file.text.bytes), "\(file.path)")
    }
  }
}
