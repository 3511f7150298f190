import LocalCloudPredicateFormat
import Testing

@Suite("Predicates: a corpus of formats")
struct CorpusTests {
  @Test("valid formats have the expected printed form and tree, and the printed form has the same tree")
  func validFormatsHaveTheExpectedPrintedForm() throws {
    let corpus = try Corpus("good")
    #expect(corpus.entries.count >= 300)
    var results: [[String]] = []
    for entry in corpus.entries {
      let tree = try #require(try? PredicateTree(format: entry.format), "\(entry.format)")
      let printed = try tree.format
      results.append([printed, TreeOutline.text(tree)])
      if !Corpus.isRecording { #expect(entry.results == results.last, "\(entry.format)") }
      let again = try #require(try? PredicateTree(format: printed), "\(printed)")
      #expect(try again.format == printed)
      if !printed.contains("\"nan\"") { #expect(again == tree, "\(entry.format)") }
    }
    if Corpus.isRecording { try corpus.record(results) }
  }

  @Test("invalid formats have the expected error and position")
  func invalidFormatsHaveTheExpectedError() throws {
    let corpus = try Corpus("bad")
    #expect(corpus.entries.count >= 180)
    var results: [[String]] = []
    for entry in corpus.entries {
      let error = #expect(throws: PredicateFormatError.self, "\(entry.format)") {
        try PredicateTree(format: entry.format)
      }
      results.append([error.map { "\($0.column): \($0.message)" } ?? "no error"])
      if !Corpus.isRecording { #expect(entry.results == results.last, "\(entry.format)") }
      guard let error else { continue }
      #expect(error.line == 1 && error.column == error.offset + 1 || !entry.format.utf8.allSatisfy { $0 < 0x80 })
      let isUnknownFunction = error.message.hasPrefix("there is no function")
      #expect(
        isUnknownFunction || error.reason == "Unable to parse the format string \"\(entry.format)\"", "\(entry.format)")
    }
    if Corpus.isRecording { try corpus.record(results) }
  }

  @Test("an error's position in a text of several lines is counted in characters")
  func errorsPositionInATextOfSeveral() throws {
    let error = #expect(throws: PredicateFormatError.self) { try PredicateTree(format: "é == 1\nAND\n  日本 = = 2") }
    #expect(error?.line == 3)
    #expect(error?.column == 8)
    #expect(error?.offset == 23)
    #expect(error.map { "\($0)" } == "line 3, column 8: expected an expression, found \"=\"")
    #expect(error?.reason == "Unable to parse the format string \"é == 1\nAND\n  日本 = = 2\"")
  }

  @Test("the error for an unknown function has Foundation's words")
  func errorForAnUnknownFunctionHasFoundations() throws {
    let error = #expect(throws: PredicateFormatError.self) { try PredicateTree(format: "a == foo(1)") }
    #expect(error?.reason == "Unable to parse function name 'foo' into supported selector (foo:)")
    #expect(error?.column == 6)
    let other = #expect(throws: PredicateFormatError.self) { try PredicateTree(format: "a == foo:bar:(1, 2)") }
    #expect(other?.reason == "Unable to parse function name 'foo:bar:' into supported selector (foo:bar:)")
  }
}
