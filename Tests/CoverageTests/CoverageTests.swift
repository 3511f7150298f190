import Foundation
import Testing

/// Apple's interface is here, symbol by symbol. `LOCALCLOUD_RECORD_SNAPSHOTS=1 swift test --filter CoverageTests` writes
/// the generated file anew, with what was declared since.
@Suite("Apple's interface")
struct CoverageTests {
  private let checklist: Checklist
  private let generator: Generator

  init() throws {
    checklist = try Checklist()
    generator = Generator(checklist, try PublicDeclarations())
  }

  @Test("every declaration is used through its declared type by a generated file that compiles")
  func generatedFile() throws {
    let file = Checklist.folder.appendingPathComponent("Generated.swift")
    if ProcessInfo.processInfo.environment["LOCALCLOUD_RECORD_SNAPSHOTS"] == "1" {
      try generator.text.write(to: file, atomically: true, encoding: .utf8)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text == generator.text, "the generated file is not what the generator makes; record it anew")
    // It needs nothing else.
    #expect(text.components(separatedBy: "\n").filter { $0.hasPrefix("import ") } == ["import CloudKit"])
  }

  @Test("every symbol of the list is declared")
  func declared() {
    #expect(generator.skipped.map(\.symbol) == [])
  }

  @Test("exceptions are few, have a reason, and are of symbols that there are")
  func exceptions() {
    let symbols = Set(checklist.rows.map(\.symbol))
    for exception in checklist.exceptions {
      #expect(symbols.contains(exception.symbol), "\(exception.symbol)")
      #expect(exception.reason.count > 10, "\(exception.symbol)")
    }
    #expect(Set(checklist.exceptions.map(\.symbol)).count * 100 <= 3 * symbols.count)
  }

  @Test("every public declaration says what it is")
  func comments() throws {
    let declarations = try PublicDeclarations().all
    #expect(declarations.count > 600)
    for declaration in declarations where !declaration.hasComment {
      Issue.record("\(declaration.file):\(declaration.line): \(declaration.path) has no doc comment")
    }
  }

  // MARK: Called

  /// By the compiler's index: a reference to another overload, or to a member of that name elsewhere, does not count.
  @Test(
    "every symbol is used by a test of behaviour",
    .enabled(if: IndexStore.ofThisBuild() != nil, "there is no index of this build"))
  func called() throws {
    let index = try #require(IndexStore.ofThisBuild())
    let root = Checklist.root.path + "/"
    let sources = index.occurrences { file in PublicDeclarations.folders.contains { file.hasPrefix(root + $0) } }
    // Files of earlier builds may be gone.
    let tests = index.occurrences { file in
      file.hasPrefix(root + "Tests/") && !file.contains("/CoverageTests/")
        && FileManager.default.fileExists(atPath: file)
    }
    try #require(sources.count > 50 && tests.count > 50)
    var definitions: [String: [IndexStore.Occurrence]] = [:]
    for (file, occurrences) in sources {
      for occurrence in occurrences where occurrence.isDefinition {
        definitions["\(file.dropFirst(root.count)):\(occurrence.line)", default: []].append(occurrence)
      }
    }
    let used = Set(tests.values.joined().filter(\.isReference).map(\.usr))
    let texts = try tests.keys.map { try String(contentsOfFile: $0, encoding: .utf8) }
    var uncalled: [String] = []
    for row in checklist.rows where generator.isThere(row) && !checklist.isExcepted(row.symbol, .called) {
      let found = generator.declarations(of: row)
      let usrs = found.flatMap { declaration in
        definitions["\(declaration.file):\(declaration.line)", default: []]
          .filter { $0.name.hasPrefix(declaration.baseName) }.map(\.usr)
      }
      let isUsed = usrs.contains(where: used.contains)
      // What the compiler makes has no line of its own.
      let isMade =
        found.isEmpty && row.member == "init(rawValue:)"
        && row.owner.map { owner in
          texts.contains { $0.contains("\(owner)(rawValue:") }
        } == true
      if !isUsed, !isMade { uncalled.append(row.symbol) }
    }
    for symbol in uncalled { print("no test of behaviour calls \(symbol)") }
    #expect(uncalled == [])
  }
}
