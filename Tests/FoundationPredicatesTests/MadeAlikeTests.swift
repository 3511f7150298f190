import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import Testing

@Suite("Predicates, expressions and sort descriptors as objects")
struct MadeAlikeTests {
  private final class OwnComparison: _NSComparisonPredicate {
    convenience init(_ key: String, is value: Any) {
      self.init(
        leftExpression: _NSExpression(forKeyPath: key), rightExpression: _NSExpression(forConstantValue: value),
        modifier: .direct, type: .equalTo, options: [])
    }
  }

  private final class OwnPredicate: NSPredicate {
    convenience init(number: Int) { self.init(format: "n == %d", number) }
  }

  private final class OwnCompound: NSCompoundPredicate {
    convenience init(both one: NSPredicate, _ other: NSPredicate) {
      self.init(andPredicateWithSubpredicates: [one, other])
    }
  }

  private final class OwnExpression: _NSExpression {
    convenience init(key: String) { self.init(forKeyPath: key) }
  }

  private final class OwnSort: NSSortDescriptor {
    convenience init(newest key: String) { self.init(key: key, ascending: false) }
  }

  private final class StoredPredicate: NSPredicate {
    var name = "a name"
  }

  @Test("[predicate-11] a format makes a comparison, or a compound of its parts")
  func formatMakesAComparisonOrACompound() throws {
    let comparison = try #require(NSPredicate(format: "name ==[c] 'x'") as? _NSComparisonPredicate)
    #expect(comparison.leftExpression.keyPath == "name")
    #expect(comparison.options == .caseInsensitive)
    let compound = try #require(NSPredicate(format: "a == 1 AND (b == 2 OR c == 3)") as? NSCompoundPredicate)
    #expect(compound.compoundPredicateType == .and)
    #expect(compound.subpredicates.count == 2)
    #expect(compound.subpredicates[0] == NSPredicate(format: "a == 1"))
    #expect((compound.subpredicates[1] as? NSCompoundPredicate)?.compoundPredicateType == .or)
    let negation = try #require(NSPredicate(format: "NOT a == %@", argumentArray: [1]) as? NSCompoundPredicate)
    #expect(negation.compoundPredicateType == .not)
    #expect(negation.subpredicates == [NSPredicate(format: "a == 1")])
    #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    #expect(compound.evaluate(with: ["a": 1, "c": 3]))
    #expect(!compound.evaluate(with: ["a": 1, "c": 4]))
  }

  @Test("[predicate-16] NSNull is described as <null>, nil as nil, and both are the same value")
  func nullObjects() throws {
    #expect(_NSExpression(forConstantValue: NSNull()).description == "<null>")
    #expect(_NSExpression(forConstantValue: nil).description == "nil")
    #expect(_NSExpression(forConstantValue: NSNull()).constantValue is NSNull)
    #expect(_NSExpression(forConstantValue: NSNull()).expressionValue(with: nil, context: nil) is NSNull)
    #expect(_NSExpression(forAggregate: [1, NSNull()]).description == "{1, <null>}")
    #expect(_NSExpression(format: "%@", NSNull()).description == "<null>")
    let made = _NSComparisonPredicate(
      leftExpression: _NSExpression(forKeyPath: "name"), rightExpression: _NSExpression(forConstantValue: NSNull()),
      modifier: .direct, type: .equalTo)
    #expect(made.description == "name == <null>")
    #expect(made.rightExpression.constantValue is NSNull)
    let format = NSPredicate(format: "name == %@ AND NOT (a IN %@)", NSNull(), [NSNull(), 1] as [Any])
    #expect(format.description == "name == <null> AND (NOT a IN {<null>, 1})")
    #expect(NSPredicate(format: "name == nil").description == "name == nil")
    #expect(NSPredicate(format: "name == %@", nil as String?).description == "name == nil")
    let substituted = NSPredicate(format: "name == $name").withSubstitutionVariables(["name": NSNull()])
    #expect(substituted.description == "name == <null>")
    for predicate in [made, substituted, NSPredicate(format: "name == %@", NSNull())] {
      #expect(predicate == NSPredicate(format: "name == nil"))
      #expect(predicate.hash == made.hash)
      #expect(predicate.evaluate(with: [:] as [String: Any]))
      #expect(predicate.evaluate(with: ["name": NSNull()]))
      #expect(!predicate.evaluate(with: ["name": "Ann"]))
      #expect(try #require(predicate.tree).format == "name == nil")
      #expect((predicate.copy() as? NSPredicate)?.description == "name == <null>")
    }
    #expect(!NSPredicate(format: "name != %@", NSNull()).evaluate(with: [:] as [String: Any]))
    #expect(PredicateArchive.format(of: made) == "name == nil")
  }

  @Test("[predicate-11] equally constructed predicates are equal, others are not")
  func equallyConstructedPredicatesAreEqualOthers() throws {
    let formats = [
      "a == 1", "a == 2", "a == 1 AND b == 2", "a == 1 OR b == 2", "b == 2 AND a == 1", "NOT a == 1", "a ==[c] 1",
      "ANY a == 1", "a == 'x' AND (b == 2 OR c IN {1, 2})", "TRUEPREDICATE",
    ]
    for (index, format) in formats.enumerated() {
      for (other, otherFormat) in formats.enumerated() {
        let (one, two) = (NSPredicate(format: format), NSPredicate(format: otherFormat))
        #expect((one == two) == (index == other), "\(format), \(otherFormat)")
        if index == other, index < formats.count - 1 { #expect(one.hash == two.hash, "\(format)") }
      }
    }
    #expect(Set([NSPredicate(format: "a == 1"), NSPredicate(format: "a = %d", 1)]).count == 1)
    let made = _NSComparisonPredicate(
      leftExpression: _NSExpression(forKeyPath: "a"), rightExpression: _NSExpression(forConstantValue: 1),
      modifier: .direct, type: .equalTo)
    #expect(made == NSPredicate(format: "a == 1"))
    #expect(made.options == [])
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [made, NSPredicate(format: "b == 2")])
    #expect(NSPredicate(format: "a == 1 AND b == 2") == both)
    #expect(NSPredicate(format: "a == 1 AND b == 3") != both)
    // The comparison does not call a program's block.
    let block = NSPredicate { _, _ in
      Issue.record("The block was called")
      return true
    }
    #expect(made != block)
    #expect(NSPredicate(format: "a == 1 AND b == 2") != block)
    #expect(
      NSPredicate(format: "a == 1 AND b == 2") != NSCompoundPredicate(andPredicateWithSubpredicates: [made, block]))
  }

  @Test("the description of a predicate from a format is the format, also for a copy")
  func descriptionOfAPredicateFromAFormat() throws {
    for format in [#"name == "x""#, "a == 1 AND (b == 2 OR c == 3)", "NOT a IN {1, 2}"] {
      let predicate = NSPredicate(format: format)
      #expect(predicate.description == format)
      let copy = try #require(predicate.copy() as? NSPredicate)
      #expect(copy == predicate)
      #expect(copy.description == format)
      #expect(type(of: copy) == type(of: predicate))
    }
    let filled = NSPredicate(format: "a == $x AND b == 2").withSubstitutionVariables(["x": 1])
    #expect(filled == NSPredicate(format: "a == 1 AND b == 2"))
  }

  @Test("[predicate-11] equally constructed expressions are equal")
  func equallyConstructedExpressionsAreEqual() {
    #expect(_NSExpression(forKeyPath: "a.b") == _NSExpression(format: "a.b"))
    #expect(_NSExpression(forKeyPath: "a.b") != _NSExpression(forKeyPath: "a.c"))
    #expect(_NSExpression(forConstantValue: 1) == _NSExpression(forConstantValue: 1))
    #expect(_NSExpression(forKeyPath: "a.b").description == "a.b")
    let count = _NSExpression(forFunction: "count:", arguments: [_NSExpression(forKeyPath: "a")])
    #expect(count == _NSExpression(format: "count:(a)"))
    #expect(count.hash == _NSExpression(format: "count:(a)").hash)
  }

  @Test("[predicate-11] equally constructed sort descriptors are equal, also reversed")
  func sortDescriptors() throws {
    let title = NSSortDescriptor(key: "title", ascending: true)
    #expect(title == NSSortDescriptor(key: "title", ascending: true))
    #expect(title.hash == NSSortDescriptor(key: "title", ascending: true).hash)
    #expect(title != NSSortDescriptor(key: "title", ascending: false))
    #expect(title != NSSortDescriptor(key: "x", ascending: true))
    let reversed = try #require(title.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed == NSSortDescriptor(key: "title", ascending: false))
    #expect(reversed.key == "title")
    #expect(title.description == "(title, ascending, compare:)")
    #expect(NSSortDescriptor(keyPath: \Item.isDone, ascending: true) == .init(keyPath: \Item.isDone, ascending: true))
    #expect(NSSortDescriptor(keyPath: \Item.isDone, ascending: true) != .init(keyPath: \Item.name, ascending: true))
  }

  private struct Item: Equatable {
    var name: String?
    var isDone = false
    var id = UUID()
  }

  @Test("a sort descriptor takes a key path to any value, and sorts by it")
  func sortDescriptorTakesAKeyPath() {
    let items = [Item(name: "b", isDone: true), Item(name: nil), Item(name: "a", isDone: true)]
    let byName = items.sorted {
      NSSortDescriptor(keyPath: \Item.name, ascending: true).compare($0, to: $1).rawValue < 0
    }
    #expect(byName.map(\.name) == [nil, "a", "b"])
    let downwards = NSSortDescriptor(keyPath: \Item.name, ascending: false)
    #expect(items.sorted { downwards.compare($0, to: $1).rawValue < 0 }.map(\.name) == ["b", "a", nil])
    let byMark = NSSortDescriptor(keyPath: \Item.isDone, ascending: true)
    #expect(byMark.compare(items[0], to: items[1]) == .orderedDescending)
    #expect(byMark.compare(items[0], to: items[2]) == .orderedSame)
    #expect(NSSortDescriptor(keyPath: \Item.id, ascending: true).compare(items[0], to: items[0]) == .orderedSame)
  }

  @Test("a sort descriptor with a key sorts dictionaries")
  func sortDescriptorWithAKeySortsDictionaries() {
    let rows: [[String: Any]] = [
      ["n": 2, "who": ["name": "z"]], ["who": ["name": "b"]], ["n": 1, "who": ["name": "a"]],
    ]
    func sorted(_ descriptor: NSSortDescriptor) -> [Int] {
      rows.indices.sorted { descriptor.compare(rows[$0], to: rows[$1]).rawValue < 0 }
    }
    #expect(sorted(NSSortDescriptor(key: "n", ascending: true)) == [1, 2, 0])
    #expect(sorted(NSSortDescriptor(key: "who.name", ascending: false)) == [0, 1, 2])
    #expect(
      (["c", "a"] as NSArray).sortedArray(using: [NSSortDescriptor(key: nil, ascending: true)]) as? [String] == [
        "a", "c",
      ])
  }

  @Test("a subclass may have its own initializer")
  func subclassMayHaveItsOwnInitializer() {
    let comparison = OwnComparison("name", is: "x")
    #expect(comparison.evaluate(with: ["name": "x"]))
    #expect(!comparison.evaluate(with: ["name": "y"]))
    #expect(comparison.leftExpression.keyPath == "name")
    #expect(comparison.rightExpression.constantValue as? String == "x")
    #expect(comparison.withSubstitutionVariables([:]).evaluate(with: ["name": "x"]))
    let predicate = OwnPredicate(number: 2)
    #expect(predicate.evaluate(with: ["n": 2]))
    #expect(!predicate.evaluate(with: ["n": 3]))
    let both = OwnCompound(both: comparison, predicate)
    #expect(both.evaluate(with: ["name": "x", "n": 2]))
    #expect(!both.evaluate(with: ["name": "x", "n": 3]))
    let expression = OwnExpression(key: "n")
    #expect(expression.keyPath == "n")
    #expect(expression.expressionValue(with: ["n": 5], context: nil) as? Int == 5)
    #expect(NSPredicate(format: "%@ == 5", expression).evaluate(with: ["n": 5]))
    let sort = OwnSort(newest: "date")
    #expect(sort.key == "date")
    #expect(!sort.ascending)
  }

  @Test("making a subclass with stored properties from a format stops the process with a message")
  func storedProperties() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = StoredPredicate(format: "n == 1")
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("has stored properties"))
  }
}
