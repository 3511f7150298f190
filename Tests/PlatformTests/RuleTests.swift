import Foundation
import Testing

/// The rules of what this library does, and those of its formats on disk: whatever cites one names one that there is, and
/// none goes without a test but those of the cloud's format, which its own tests check as a whole.
@Suite("Rules and their citations")
struct RuleTests {
  private let behaviour: RuleArticles
  private let cloud: RuleArticles
  private let objects: RuleArticles
  private let files: [CitingFile]

  init() throws {
    behaviour = try RuleArticles(
      in: ["CloudService", "CoreDataModel", "SourceRewriter", "CoreData"].map { "Sources/\($0)/\($0).docc" })
    cloud = try RuleArticles(in: ["Sources/CloudStore/CloudStore.docc"])
    objects = try RuleArticles(in: ["Sources/ObjectStore/ObjectStore.docc"])
    files = try CitingFile.all()
  }

  @Test("every rule of what the library does, and of a store of objects, is cited by a test")
  func tested() {
    let tests = files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }.flatMap(\.citationsByTest)
    let cited = tests.reduce(into: Set<String>()) { $0.formUnion($1) }
    let rules = Set((behaviour.rules + objects.rules).map(\.label))
    #expect(rules.subtracting(cited).sorted() == [])
    let citing = tests.count { !$0.isDisjoint(with: rules) }
    print("rules: \(rules.count), cited by \(citing) tests")
    #expect(rules.count > 100 && citing > 100)
  }

  @Test("every label that is cited is a rule's")
  func known() {
    let rules = Set((behaviour.rules + cloud.rules + objects.rules).map(\.label))
    for file in files {
      #expect(file.citations.subtracting(rules).sorted() == [], "\(file.path)")
    }
  }

  @Test("labels are used once, and count from 1")
  func labels() {
    let numbers = Dictionary(grouping: behaviour.rules + cloud.rules + objects.rules, by: \.subject)
      .mapValues { $0.map(\.number) }
    for (subject, numbers) in numbers {
      #expect(numbers.sorted() == Array(1...numbers.count), "\(subject)")
    }
  }

  @Test("rules of one kind stand in one article, and each tells where it is from")
  func places() {
    let places = Dictionary(grouping: behaviour.rules) { String($0.subject.prefix { $0 != "-" }) }
    for (kind, rules) in places { #expect(Set(rules.map(\.article)).count == 1, "\(kind)") }
    for rule in behaviour.rules {
      #expect(rule.text.contains(" Source: ") && rule.text.hasSuffix("."), "\(rule.label)")
    }
    for (article, lines) in behaviour.lengths { #expect(lines < 350, "\(article)") }
  }

  @Test("no file cites a document that is not here")
  func documents() {
    let here = files.map(\.path).filter { $0.hasSuffix(".md") }
    for file in files {
      for match in file.text.matches(of: #/(?:\$\w+\/)?([A-Za-z0-9_\-\/.]+\.md)\b/#) {
        let path = match.output.1.split(separator: "/").filter { $0 != ".." && $0 != "." }.joined(separator: "/")
        #expect(here.contains { $0 == path || $0.hasSuffix("/" + path) }, "\(file.path): \(match.output.1)")
      }
    }
  }

  @Test("a citation belongs to the test that it stands above or in")
  func attribution() {
    let label = "[" + "share-join-1]"
    let file = CitingFile(
      path: "",
      text: """
        @Suite("of all \(label)")
        struct Suite {
          // \(label)
          @Test func first() {}

          @Test("second \(label)")
          func second() {
            // \(label)
          }

          @Test func third() {}
        }
        """)
    #expect(file.citationsByTest == [["share-join-1"], ["share-join-1"], []])
    #expect(file.citations == ["share-join-1"])
  }
}
