import LocalCloudEmulator
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Compares the articles of CloudStore with the tree that the program writes.
@Suite("The specification of the format on disk describes all written files")
struct FormatSpecificationTests {
  private let specification: FormatSpecification

  init() throws {
    specification = try FormatSpecification(at: Repository.path + "/Sources/CloudStore/CloudStore.docc")
    try #require(!specification.files.isEmpty)
  }

  @Test(
    "the specification lists every written file and key, and the program writes all that are listed"
  )
  func specificationListsEveryWrittenFileAndKey() throws {
    let scenario = try FormatScenario()
    var walk = FormatWalk(specification)
    try walk.note(of: scenario.alice)
    try walk.run(scenario.cloud.path)
    try scenario.breakAndRepair()
    try walk.run(scenario.cloud.path, isAtRest: false)
    try scenario.stopWhileDeleting()
    try walk.run(scenario.cloud.path, isAtRest: false)
    try scenario.stopWhileRestoring()
    try walk.run(scenario.cloud.path, isAtRest: false)
    #expect(walk.problems == [])
    #expect(walk.unseen == [])
    let kinds = try #require(specification.table("Key kinds", "letter")).rows.map { $0[0] }
    #expect(walk.indexKinds == Set(kinds))
    try checkWays(scenario.paths.made(below: scenario.cloud.path))
  }

  /// Expects that each temporary path is listed, and that each listed temporary path occurred.
  private func checkWays(_ paths: Set<String>) throws {
    var seen: Set<String> = []
    for path in paths where specification.file(at: path) == nil {
      // The target of a rename may be a folder.
      let row = specification.otherFile(at: path) ?? specification.otherFile(at: path + "/x")
      if let row { seen.insert(row) } else { #expect(isFolder(path), "\(path) is not listed") }
    }
    #expect(Set(specification.otherFiles.map(\.text)).subtracting(seen).isEmpty)
  }

  /// Whether a listed file may be directly in this folder.
  private func isFolder(_ path: String) -> Bool { specification.file(at: path + "/zone.json") != nil }

  @Test("the comparison reports unlisted files and keys, and missing keys")
  func comparisonReportsUnlistedFilesAndKeys() throws {
    var seen: Set<String> = []
    let good = try JSONValue(parsing: #"{"created":"2026-01-01T00:00:00.000Z","formatVersion":1,"history":"00"}"#)
    let marker = "The cloud's marker"
    #expect(specification.problems(good, marker, seen: &seen) == [])
    var object = try #require(good.object)
    object["more"] = 1
    #expect(specification.problems(.object(object), marker, seen: &seen) == ["\(marker): more is not listed"])
    object["more"] = nil
    object["history"] = nil
    #expect(specification.problems(.object(object), marker, seen: &seen) == ["\(marker): history is missing"])
    object["history"] = 7
    #expect(specification.problems(.object(object), marker, seen: &seen) == ["\(marker): history is no text: 7"])
    let pointer = try JSONValue(parsing: #"{"sequence":1,"kind":"in","recordName":"a","recordType":"T","x":{"y":1}}"#)
    #expect(specification.problems(pointer, "A share's line", seen: &seen) == ["A share's line: x is not listed"])
    #expect(specification.problems(good, "No such heading", seen: &seen).count == 1)

    #expect(specification.file(at: "cloud.json")?.contents == marker)
    let zone = "containers/iCloud.test/development/private/alice/zones/Notes"
    #expect(specification.file(at: "\(zone)/records/a%2Fb.json")?.contents == "A record")
    #expect(specification.file(at: "containers/iCloud.test/production/public/zones/Z/zone.json") != nil)
    let strangers = [
      "cloud.jsonl", "x/cloud.json", "\(zone)/assets/1", "\(zone)/assets/a-1/2",
      "\(zone)/assets/.a-1", "\(zone)/records/.a.json", "\(zone)/records/a/b.json",
    ]
    for path in strangers {
      #expect(specification.file(at: path) == nil, "\(path)")
      #expect(specification.otherFile(at: path) == nil, "\(path)")
    }
    #expect(specification.otherFile(at: "\(zone)/.journal/staged/0") != nil)
    #expect(specification.otherFile(at: "aside/2026-01-01T000000.000Z/accounts/alice.json") != nil)
  }

  @Test("rules are numbered without gaps, and citations name existing rules")
  func rulesAreNumberedWithoutGapsAndCitations() throws {
    var rules: [String: [Int]] = [:]
    var cited: Set<String> = []
    for (_, lines) in specification.articles {
      for line in lines {
        for match in line.matches(of: #/(\*\*)?\[([a-z]+)-([0-9]+)\]/#) {
          if match.output.1 != nil {
            rules[String(match.output.2), default: []].append(Int(match.output.3) ?? 0)
          } else {
            cited.insert("\(match.output.2)-\(match.output.3)")
          }
        }
      }
    }
    #expect(rules.count >= 9)
    for (name, numbers) in rules { #expect(numbers.sorted() == Array(1...numbers.count), "\(name)") }
    let known = Set(rules.flatMap { name, numbers in numbers.map { "\(name)-\($0)" } })
    #expect(cited.subtracting(known) == [])
  }

  @Test("the header's fields are adjacent and end at the header's size")
  func headersFieldsAreAdjacentAndEnd() throws {
    let header = try #require(specification.table("The header", "offset")).rows
    var end = 0
    for row in header {
      #expect(Int(row[0]) == end, "\(row[2])")
      end += Int(row[1]) ?? 0
    }
    #expect(end == 48)
  }

  @Test("the examples of encoded names equal the program's encoding")
  func examplesOfEncodedNamesEqualThePrograms() throws {
    let rows = try #require(specification.table("Examples", "name")).rows
    #expect(rows.count > 5)
    for row in rows {
      let names = row[0].matches(of: #/`([^`]*)`/#).map { String($0.output.1) }
      let component = names.count == 2 ? FileName.encodePair(names[0], names[1]) : FileName.encode(names.first ?? "")
      #expect(component == FormatSpecification.code(row[1]), "\(row[0])")
    }
  }
}
