import Foundation
import TestSupport
import Testing

/// A small package with faults planted in it, from its sources to the report.
@Suite("A run of faults in sources")
struct MutantRunTests {
  private static let package: [String: String] = [
    "Package.swift": """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "Toy", targets: [.target(name: "Floor"), .testTarget(name: "FloorTests", dependencies: ["Floor"])])
    """,
    "Sources/Floor/Limit.swift": """
    public func allows(_ number: Int) -> Bool {
      guard number >= 0 else { return false }
      return number <= 5
    }
    public func isUnseen(_ number: Int) -> Bool { number == 17 }
    public func first(_ text: String) -> Substring { text[text.startIndex..<text.index(after: text.startIndex)] }
    public func harmless(_ number: Int) -> Bool { number < 5 || number < 4 }
    """,
    "Tests/FloorTests/Tests.swift": """
    import Floor
    import Testing
    @Suite struct LimitTests { @Test func bounds() { #expect(!allows(-1) && allows(0) && allows(5) && !allows(6)) } }
    @Suite struct OtherTests { @Test func other() { #expect(first("ab") == "a" && harmless(4)) } }
    """,
  ]

  @Test("tells which faults no test notices, leaves out what can't be compiled and what is harmless")
  func toy() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mutants-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in Self.package {
      let place = folder.appendingPathComponent("package/" + name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }
    let harmless = HarmlessMutants(entries: [
      .init(
        file: "Limit.swift", code: "public func harmless(_ number: Int) -> Bool { number < 5 || number < 4 }",
        kind: nil,
        reason: "one is in the other")
    ])
    let report = try MutantRun(
      scratch: MutantScratch(
        package: folder.appendingPathComponent("package").path, copy: folder.appendingPathComponent("copy").path),
      floors: ["Floor"], count: 40, seed: 5, threads: 1, harmless: harmless
    ) { _ in }.run()
    #expect(report.flaws == [])
    // Two of the guard and its `>=` overlap, so one of the three is planted; the range of a text can't be.
    let lines = Set(report.results.map(\.mutant.line))
    #expect(lines == [2, 3, 5])
    #expect(Set(report.unnoticed.map(\.line)) == [5], "\(report)")
    for (mutant, verdict) in report.results where mutant.line != 5 {
      guard case .noticed(let suite, _) = verdict else { continue }
      #expect(suite == "FloorTests.LimitTests", "\(mutant)")
    }
    #expect(
      "\(report)".contains("Sources/Floor/Limit.swift:5: negated condition, == becomes !=: NOT NOTICED by 0 suites"))
  }
}
