import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport
import Testing

/// Checks that the modules have Apple's interface, symbol by symbol.
@Suite("Apple's interface")
struct CoverageTests {
  private func generator(_ interface: Interface) throws -> Generator {
    Generator(try Checklist(interface), try PublicDeclarations(interface))
  }

  @Test(
    "a generated file that uses every declaration through its declared type compiles",
    .enabled(if: ChildProcess.hasCompiler, "there is no swiftc"), arguments: Interface.all, ["5", "6"])
  func generatedFile(_ interface: Interface, languageMode: String) throws {
    let folder = try TemporaryFolder("coverage")
    try folder.directory.writeStaged("Rows.swift", Array(try generator(interface).text.utf8))
    let modules = HostProcess.executableFolder + "/Modules"
    let arguments = [
      "swiftc", "-typecheck", "-swift-version", languageMode, "-module-name", "Rows", "-I", modules, "Rows.swift",
    ]
    let compiler = try ChildProcess("/usr/bin/env", arguments, folder: folder.path)
    #expect(compiler.wait(seconds: 600) == 0, "\(interface): \(compiler.errors.suffix(5000))")
  }

  @Test("every symbol of the list is declared", arguments: Interface.all)
  func everySymbolOfTheListIsDeclared(_ interface: Interface) throws {
    let generator = try generator(interface)
    let missing = generator.skipped.map(\.symbol).filter { symbol in
      !generator.checklist.isExcepted(symbol, .absent)
    }
    #expect(missing == [])
  }

  @Test("exceptions are few, have a reason, and name existing symbols", arguments: Interface.all)
  func exceptionsAreFewHaveAReason(_ interface: Interface) throws {
    let checklist = try Checklist(interface)
    let symbols = Set(checklist.rows.map(\.symbol))
    for exception in checklist.exceptions {
      #expect(symbols.contains(exception.symbol), "\(exception.symbol)")
      #expect(exception.reason.count > 10, "\(exception.symbol)")
    }
    #expect(Set(checklist.exceptions.map(\.symbol)).count * 100 <= 3 * symbols.count)
  }

  @Test("every public declaration has a doc comment", arguments: Interface.all)
  func everyPublicDeclarationHasADocComment(_ interface: Interface) throws {
    let declarations = try PublicDeclarations(interface).all
    #expect(declarations.count > 600)
    for declaration in declarations where !declaration.hasComment {
      Issue.record("\(declaration.file):\(declaration.line): \(declaration.path) has no doc comment")
    }
  }

  // MARK: Called symbols

  /// Uses the compiler's index: a reference to another overload, or to another member of that name, does not count. An
  /// override counts, and so does a function that implements a requirement.
  @Test(
    "every symbol is used by a test of behaviour",
    .enabled(if: IndexStore.ofThisBuild() != nil, "there is no index of this build"), arguments: Interface.all)
  func everySymbolIsUsedByATest(_ interface: Interface) throws {
    let generator = try generator(interface)
    let checklist = generator.checklist
    let index = try #require(IndexStore.ofThisBuild())
    let root = Interface.root.path + "/"
    let sources = index.occurrences { file in interface.sources.contains { file.hasPrefix(root + $0) } }
    // Files of earlier builds may have been deleted.
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
    // A function that a framework calls counts as used by the test that overrides or implements it.
    let used = Set(tests.values.joined().flatMap { $0.isReference ? [$0.usr] : $0.overridden })
    let texts = try tests.keys.map { try String(contentsOfFile: $0, encoding: .utf8) }
    var uncalled: [String] = []
    for row in checklist.rows
    where generator.isThere(row) && !checklist.isExcepted(row.symbol, .called) {
      let found = generator.declarations(of: row)
      let usrs = found.flatMap { declaration in
        definitions["\(declaration.file):\(declaration.line)", default: []]
          .filter { $0.name.hasPrefix(declaration.baseName) }.map(\.usr)
      }
      let isUsed = usrs.contains(where: used.contains)
      // A member that the compiler synthesizes has no line of its own.
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
