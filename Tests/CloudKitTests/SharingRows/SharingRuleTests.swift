import Foundation
import TestSupport
import Testing

/// Expects a test for each rule, a rule for each test, and a row in the table of differences for each assumption.
@Suite("Sharing rules: the list is complete") struct SharingRuleTests {
  private static let root = URL(fileURLWithPath: Repository.path)

  @Test func everyRuleHasATestOfItsName() throws {
    let tested = Set(try Self.testNames(in: "Tests").compactMap { SharingRule.named(by: $0)?.description })
    for rule in SharingRule.all { #expect(tested.contains("\(rule)") == (rule.impossibility == nil), "\(rule)") }
  }

  @Test func everyTestNamesARule() throws {
    for name in try Self.testNames(in: "Tests/CloudKitTests/SharingRows") {
      #expect(SharingRule.named(by: name) != nil, "\(name)")
    }
  }

  @Test func everyRuleStandsOnce() {
    #expect(Set(SharingRule.all.map(\.description)).count == SharingRule.all.count)
  }

  /// Searches the table of differences. It is collected from doc comments.
  @Test func whatIsAssumedStandsInTheTable() throws {
    let article = Self.root.appendingPathComponent("Sources/CloudKit/CloudKit.docc/Differences.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let table = text.split(separator: "\n").filter { $0.contains("| assumption |") || $0.contains("| difference |") }
    for rule in SharingRule.all {
      for words in [rule.assumption, rule.impossibility].compactMap(\.self) {
        #expect(table.contains { $0.contains(words) }, "\(rule): \(words)")
      }
    }
  }

  /// The display names of the tests in a folder that begin with a section's number.
  private static func testNames(in folder: String) throws -> [String] {
    let folder = root.appendingPathComponent(folder)
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix("Tests.swift") }.flatMap { file in
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      return text.components(separatedBy: "@Test(").dropFirst().compactMap { rest -> String? in
        let rest = rest.drop { $0.isWhitespace }
        guard rest.first == "\"", rest.dropFirst().first?.isNumber == true else { return nil }
        return String(rest.dropFirst().prefix { $0 != "\"" })
      }
    }
  }
}
