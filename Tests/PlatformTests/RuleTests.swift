import Foundation
import Testing

/// The rules of the service, in `CloudService.docc`, and those of the format on disk, in `CloudStore.docc`: whatever
/// cites one names one that there is, and no rule of the service goes without a test.
@Suite("Rules and their citations")
struct RuleTests {
  private let service: RuleArticles
  private let format: RuleArticles
  private let files: [CitingFile]

  init() throws {
    service = try RuleArticles(in: "Sources/CloudService/CloudService.docc")
    format = try RuleArticles(in: "Sources/CloudStore/CloudStore.docc")
    files = try CitingFile.all()
  }

  @Test("every rule of the service is cited by a test")
  func tested() {
    let tests = files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }.flatMap(\.citationsByTest)
    let cited = tests.reduce(into: Set<String>()) { $0.formUnion($1) }
    let rules = Set(service.rules.map(\.label))
    #expect(rules.subtracting(cited).sorted() == [])
    let citing = tests.count { !$0.isDisjoint(with: rules) }
    print("rules: \(rules.count), cited by \(citing) tests")
    #expect(rules.count > 100 && citing > 100)
  }

  @Test("every label that is cited is a rule's")
  func known() {
    let rules = Set((service.rules + format.rules).map(\.label))
    for file in files {
      #expect(file.citations.subtracting(rules).sorted() == [], "\(file.path)")
    }
  }

  @Test("labels are used once, count from 1, and do not run into those of the format")
  func labels() {
    for rules in [service.rules, format.rules] {
      let numbers = Dictionary(grouping: rules, by: \.subject).mapValues { $0.map(\.number) }
      for (subject, numbers) in numbers {
        #expect(numbers.sorted() == Array(1...numbers.count), "\(subject)")
      }
    }
    #expect(service.rules.allSatisfy { $0.subject.contains("-") })
    #expect(format.rules.allSatisfy { !$0.subject.contains("-") })
  }

  @Test("rules of one kind stand in one article, and each tells where it is from")
  func places() {
    let places = Dictionary(grouping: service.rules) { String($0.subject.prefix { $0 != "-" }) }
    for (kind, rules) in places { #expect(Set(rules.map(\.article)).count == 1, "\(kind)") }
    for rule in service.rules {
      #expect(rule.text.contains(" Source: ") && rule.text.hasSuffix("."), "\(rule.label)")
    }
    for (article, lines) in service.lengths { #expect(lines < 350, "\(article)") }
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
