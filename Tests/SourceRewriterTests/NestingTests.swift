import FaultInjection
import Foundation
import LocalCloudSourceRewriter
import Testing

@Suite("Deeply nested and repetitive sources")
struct NestingTests {
  /// A text to repeat before an inner text, and a text to repeat after it.
  struct Nest: Sendable, CustomTestStringConvertible {
    var open: String
    var inner = "1"
    var close: String
    /// The number of levels that one repetition adds.
    var levels = 1

    func text(_ count: Int) -> String {
      String(repeating: open, count: count) + inner + String(repeating: close, count: count)
    }

    var testDescription: String { open }
  }

  private static let nests: [Nest] = [
    Nest(open: "\"\\(", close: ")\""), Nest(open: "#\"\\#(", close: ")\"#"),
    Nest(open: "\"\"\"\n\\(", close: ")\n\"\"\""), Nest(open: "#\"\"\"\\#(", close: ")\"#"),
    Nest(open: "(", close: ")"),
    Nest(open: "[", close: "]"), Nest(open: "{ ", inner: "", close: "}"),
    Nest(open: "#keyPath(", inner: "a", close: ")"),
    Nest(open: "#selector(", inner: "a", close: ")"), Nest(open: "#selector((", inner: "a", close: "))", levels: 2),
    Nest(open: "@objc(", inner: "a", close: ")"), Nest(open: "\n#if true\n", inner: "", close: "\n#endif\n"),
    Nest(open: "class A {\n", inner: "", close: "}\n"),
    Nest(open: "class A { init() { ", inner: "", close: "} }", levels: 2),
    Nest(open: "class A { func f(a: Int = ", close: ") {} }", levels: 2),
    Nest(open: "class A { var a: (", inner: "Int", close: ") }", levels: 2),
    Nest(open: "class A { var a: [", inner: "Int", close: "] }", levels: 2),
    Nest(open: "f(\"\\(", close: ")\")", levels: 2),
  ]

  /// Rewrites a source on a thread with the smallest stack that a program's threads have.
  private func rewritten(_ source: String) async -> RewrittenFile {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: rewrite(source)) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("100,000 nested levels give an error, and the file stays unchanged [rewrite-13]", arguments: nests)
  func nestedLevelsGiveAnError(nest: Nest) async {
    let source = "let a = " + nest.text(100_000)
    let file = await rewritten(source)
    #expect(file.diagnostics.map(\.severity) == [.error])
    #expect(
      file.diagnostics.first?.message == "this is nested more than 256 levels deep, which the compiler refuses, too")
    #expect(file.parts.user == source)
    #expect(file.parts.added == [])
  }

  @Test("the error is at the first token that is nested too deeply [rewrite-13]")
  func errorIsAtTheFirstToken() {
    let source = String(repeating: "  (\n", count: 300) + String(repeating: ")\n", count: 300)
    #expect(rewrite(source).diagnostics.map(\.line) == [257])
    #expect(rewrite(source).diagnostics.map(\.column) == [3])
    let strings = String(repeating: "\"\"\"\n  \\(\n", count: 300)
    #expect(rewrite(strings).diagnostics.map(\.line) == [2 * 256 + 1])
    #expect(rewrite("@objc class A {}", others: [source]).diagnostics == [])
    #expect(rewrite("@objc class A {}", known: [source]).diagnostics == [])
  }

  @Test("256 nested levels are rewritten [rewrite-13]")
  func nestedLevelsAreRewritten() {
    for nest in Self.nests where nest.inner == "1" {
      let inner = Nest(open: nest.open, inner: "#keyPath(A.b.c)", close: nest.close)
      let count = 255 / nest.levels
      let file = rewrite("let a = " + inner.text(count))
      #expect(file.diagnostics == [], "\(nest.open)")
      let expected = Nest(open: nest.open, inner: "\"b.c\"", close: nest.close)
      #expect(file.parts.user == "let a = " + expected.text(count), "\(nest.open)")
    }
  }

  @Test("comments, generic arguments and operators are read at any depth")
  func commentsGenericArgumentsAndOperatorsAreRead() async {
    let nests = [
      Nest(open: "/* ", inner: "@objc", close: " */"), Nest(open: "let a: A<", inner: "B", close: ">"),
      Nest(open: "a < ", close: ""),
    ]
    for nest in nests {
      let file = await rewritten(nest.text(100_000) + "\n@objc class A {}")
      #expect(file.diagnostics == [], "\(nest.open)")
      #expect(file.parts.user == nest.text(100_000) + "\n class A {}", "\(nest.open)")
    }
    let condition = "#if " + String(repeating: "!", count: 100_000) + "os(Linux)\nlet s = #selector(f)\n#endif"
    #expect(await rewritten(condition).diagnostics.map(\.line) == [2])
    let other = "#if " + String(repeating: "!", count: 100_001) + "os(Linux)\nlet s = #selector(f)\n#endif"
    #expect(await rewritten(other).diagnostics == [])
  }

  @Test("20,000 classes in one line of inheritance are recognized as managed object classes [rewrite-7]")
  func classesInOneLineOfInheritance() async {
    let count = 20_000
    let classes = (1..<count).reversed().map { "class A\($0): A\($0 - 1) {}\n" }.joined()
    let last = "class B: A\(count - 1) { override init(entity: E, insertInto c: C?) {} }"
    let file = await rewritten(classes + "class A0: NSManagedObject {}\n" + last)
    #expect(file.diagnostics == [])
    #expect(
      file.parts.user.hasSuffix("class B: A\(count - 1) { public required init(entity: E, insertInto c: C?) {} }"))
  }

  // MARK: Steps

  private func steps(_ source: String) -> Int {
    let counter = StepCounter()
    _ = Rewriter.rewrite([SourceFile(path: "/a/File.swift", bytes: Array(source.utf8))], counter: counter)
    return counter.steps
  }

  private static let pieces = [
    "@a ", "@a(b) ", "@objc(a) @b ", "public ", "private(set) ", "class A ", "class A: B ", "class A<B ",
    "class A: B<C ",
    "class A { ", "class A {} ", "func f() ", "class A { func f(a: B< ", "class A { var a: B< ", "a<b< ", "(a<", "#",
    "# ",
    "#/", "#/a ", "#/\n", "##\"", "#\"\"\"", "#\"\"\"\\#(", "##\"\"\"a\"# \\##(", "\"\"\"", "= /a\\/", "= /a(",
    "= /a /",
    "/* ", "#keyPath(A.b) ", "#keyPath(", "#keyPath(a.b + #keyPath(c)) ", "#selector(f) ",
    "#selector((f) as () -> Void) ",
    "#expect(a as? NSFetchRequest<A>) ", "#expect(a as? NSFetchRequest<A>",
    "class A { let s = #selector(f); func f() {} } ", "class A { init() { super.init(entity: e) } } ", "\"\\(",
    "\"\\(a)\" ",
    "\"a\\(b(\"c\"))d\" ", "let a = b < c\n", "let a: A<B> = c\n", "var a, b: C ", "#if A\n", "#if A\n#endif\n",
    "#elseif A\n", "`",
    "a.",
    "1.", "\\", "'", "é",
  ]

  @Test("a source of twice the length takes at most about twice the steps", arguments: pieces)
  func sourceOfTwiceTheLengthTakes(piece: String) {
    let start = piece.hasPrefix("#elseif") ? "#if A\n" : ""
    // Pieces that open two brackets can be repeated at most 128 times.
    for count in [60, 300] {
      for end in ["", "{", "}", "\"", "/#"] {
        let (once, twice) = (
          steps(start + String(repeating: piece, count: count) + end),
          steps(start + String(repeating: piece, count: 2 * count) + end)
        )
        #expect(twice <= 2 * once + once / 4, "\(piece) … \(end): \(once), \(twice)")
        #expect(once < count * (50 + 25 * piece.utf8.count), "\(piece) … \(end): \(once)")
      }
    }
  }

  @Test("twice as many deeply nested texts take at most about twice the steps", arguments: nests)
  func linearNests(nest: Nest) {
    let text = nest.text(200 / nest.levels) + "\n"
    let (once, twice) = (steps(String(repeating: text, count: 5)), steps(String(repeating: text, count: 10)))
    #expect(twice < 2 * once + once / 4, "\(once), \(twice)")
  }

  @Test("the steps for a nested text grow linearly with its depth", arguments: nests)
  func linearInDepth(nest: Nest) {
    let (once, twice) = (steps(nest.text(120 / nest.levels)), steps(nest.text(240 / nest.levels)))
    #expect(twice < 2 * once + once / 4, "\(once), \(twice)")
  }
}
