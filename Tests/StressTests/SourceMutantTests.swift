import Foundation
import TestSupport
import Testing

@Suite("Faults in sources")
struct SourceMutantTests {
  private func mutants(_ source: String) -> [Mutant] {
    MutantFinder.mutants(in: Array(source.utf8), file: "Sources/Floor/File.swift")
  }

  /// The source with that fault in it, whose number is 7.
  private func planted(_ source: String, _ mutant: Mutant) -> String {
    var bytes = Array(source.utf8)
    bytes.replaceSubrange(mutant.range, with: Mutant.filled(mutant.replacement, number: 7).utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func all(_ source: String) -> [String] {
    mutants(source).map { "\($0.kind.rawValue): \(planted(source, $0))" }
  }

  @Test("conditions are negated and left out; those that bind, and those that wait, stay")
  func conditions() {
    #expect(
      all("guard let a, b(a) else { return }") == [
        "negated condition: guard let a, (plantedFault(7) != (b(a))) else { return }",
        "left-out guard: guard let a, (plantedFault(7) ? true : (b(a))) else { return }",
      ])
    #expect(
      all("if try a.b({ $0 }) { c }") == [
        "negated condition: if try (plantedFault(7) != (a.b({ $0 }))) { c }",
        "left-out guard: if try (plantedFault(7) ? false : (a.b({ $0 }))) { c }",
      ])
    #expect(all("if await a { b }\nif case .c = d { e }\nif try? f { g }\nif #available(x) { h }").isEmpty)
  }

  @Test("operators turn into others, by an operator of each fault's own")
  func operators() {
    let source = "let a = b <= c && d == nil\nlet e = f..<g"
    let found = mutants(source)
    #expect(
      found.map { planted(source, $0) } == [
        "let a = b <=\u{2507} c && d == nil\nlet e = f..<g", "let a = b <= c &&\u{2507} d == nil\nlet e = f..<g",
        "let a = b <= c && d ==\u{2507} nil\nlet e = f..<g", "let a = b <= c && d == nil\nlet e = f..<\u{2507}g",
      ])
    #expect(found.map(\.kind) == [.movedBoundary, .negatedCondition, .negatedCondition, .movedBoundary])
    #expect(
      found.first?.declaration.map { Mutant.filled($0, number: 7) } == """
        infix operator <=\u{2507}: ComparisonPrecedence
        func <=\u{2507} <T: Comparable>(a: T, b: T) -> Bool { plantedFault(7) ? a < b : a <= b }
        """)
    // What stands in texts, comments, types and patterns is none.
    #expect(all("let a: Set<Int>? = [b: \"c == \\(d < e)\"] // f == g\n/* h < /* i */ j == k */\ncase ..<2: l").isEmpty)
  }

  @Test("an order is the same by `<=` as by `<`") func orders() {
    #expect(all("a.sorted { $0 < $1 }\nb.min(by: { $0.c > $1.c })").isEmpty)
    #expect(all("sorted = b < c").count == 1)
  }

  @Test("constants become others; places in tuples and patterns stay")
  func constants() {
    #expect(
      all("let a = [0x1f, b.0, true]\ncase 3: c") == [
        "changed constant: let a = [(plantedFault(7) ? 32 : 0x1f), b.0, true]\ncase 3: c",
        "changed constant: let a = [0x1f, b.0, (plantedFault(7) ? false : true)]\ncase 3: c",
      ])
  }

  @Test("assignments and calls on a line of their own are left out")
  func statements() {
    let source = "func a() {\n  b = c\n  try d(e)\n  return f(g)\n  let h = i(\n    j)\n  k\n    .l()\n}"
    #expect(
      mutants(source).map { planted(source, $0) } == [
        source.replacingOccurrences(of: "b = c", with: "if !plantedFault(7) { b = c }"),
        source.replacingOccurrences(of: "try d(e)", with: "if !plantedFault(7) { try d(e) }"),
      ])
  }

  @Test("what is compiled elsewhere alone is left as it is")
  func conditional() { #expect(all("#if os(macOS)\n  let a = b == c\n#endif\n@available(a, 5)").isEmpty) }

  @Test("raw texts, texts of several lines and their expressions are one token each")
  func tokens() {
    let source = ##"a #"b " c"# """\##n d "\(e("f"))"\##n """ g"##.replacingOccurrences(of: "\\#n", with: "\n")
    let tokens = SwiftLexer.tokens(of: Array(source.utf8))
    #expect(tokens.map(\.kind) == [.word, .string, .string, .word])
    #expect(tokens.last?.text == "g")
  }
}
