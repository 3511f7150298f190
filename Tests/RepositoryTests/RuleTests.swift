import Foundation
import Testing

/// The rules of this library's behaviour and of its formats on disk: every citation names an existing rule, and a test
/// cites every rule. The rules of the cloud's format are an exception: their own tests check them as a whole.
@Suite("Rules and their citations")
struct RuleTests {
  private let behaviour: RuleArticles
  private let cloud: RuleArticles
  private let objects: RuleArticles
  private let files: [CitingFile]

  init() throws {
    behaviour = try RuleArticles(
      in: ["CloudService", "CloudKit", "CoreDataModel", "SourceRewriter", "CoreData"].map {
        "Sources/\($0)/\($0).docc"
      })
    cloud = try RuleArticles(in: ["Sources/CloudStore/CloudStore.docc"])
    objects = try RuleArticles(in: ["Sources/ObjectStore/ObjectStore.docc"])
    files = try CitingFile.all()
  }

  @Test("a test cites every rule of the library's behaviour and of object stores")
  func testCitesEveryRuleOfTheLibrarys() {
    let tests = files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }.flatMap(\.citationsByTest)
    let cited = tests.reduce(into: Set<String>()) { $0.formUnion($1) }
    let rules = Set((behaviour.rules + objects.rules).map(\.label))
    #expect(rules.subtracting(cited).sorted() == [])
    let citing = tests.count { !$0.isDisjoint(with: rules) }
    print("rules: \(rules.count), cited by \(citing) tests")
    #expect(rules.count > 100)
    #expect(citing > 100)
  }

  @Test("every cited label belongs to a rule")
  func everyCitedLabelBelongsToARule() {
    let rules = Set((behaviour.rules + cloud.rules + objects.rules).map(\.label))
    for file in files {
      #expect(file.citations.subtracting(rules).sorted() == [], "\(file.path)")
    }
  }

  @Test("labels are unique and count from 1")
  func labelsAreUniqueAndCountFrom1() {
    let numbers = Dictionary(grouping: behaviour.rules + cloud.rules + objects.rules, by: \.subject)
      .mapValues { $0.map(\.number) }
    for (subject, numbers) in numbers {
      #expect(numbers.sorted() == Array(1...numbers.count), "\(subject)")
    }
  }

  @Test("rules of one kind are in one article, and each rule names its source")
  func rulesOfOneKind() {
    // The sync engine has three articles: its values, its passes, and the app's view.
    let rulesByKind = Dictionary(grouping: behaviour.rules) { rule in
      rule.subject.hasPrefix("sync-") ? rule.subject : String(rule.subject.prefix { $0 != "-" })
    }
    for (kind, rules) in rulesByKind { #expect(Set(rules.map(\.article)).count == 1, "\(kind)") }
    for rule in behaviour.rules {
      #expect(rule.text.contains(" Source: "), "\(rule.label)")
      #expect(rule.text.hasSuffix("."), "\(rule.label)")
    }
    // The table of differences is collected, and as long as they are many.
    for (article, lines) in behaviour.lengths where article != "Differences.md" {
      #expect(lines < 350, "\(article)")
    }
  }

  @Test("no file cites a document that is not in the repository")
  func noFileCitesADocument() {
    let here = files.map(\.path).filter { $0.hasSuffix(".md") }
    for file in files {
      for match in file.text.matches(of: #/(?:\$\w+\/)?([A-Za-z0-9_\-\/.]+\.md)\b/#) {
        let path = match.output.1.split(separator: "/").filter { $0 != ".." && $0 != "." }.joined(separator: "/")
        #expect(here.contains { $0 == path || $0.hasSuffix("/" + path) }, "\(file.path): \(match.output.1)")
      }
    }
  }

  @Test("a citation belongs to the test below it or around it")
  func citationBelongsToTheTestBelow() {
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
