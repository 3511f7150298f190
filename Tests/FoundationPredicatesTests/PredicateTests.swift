import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import Testing

@Suite("Queries: NSPredicate from a format")
struct PredicateTests {
  private final class Person: NSObject {
    let name: String
    let age: Int
    let nickname: String?
    let friends: [Person]

    init(_ name: String, _ age: Int, nickname: String? = nil, friends: [Person] = []) {
      self.name = name
      self.age = age
      self.nickname = nickname
      self.friends = friends
    }
  }

  private func format(_ predicate: NSPredicate) throws -> String? { try predicate.tree?.format }

  @Test("a format takes arguments of all types that apps use")
  func formatTakesArgumentsOfAllTypes() throws {
    let names = ["a", "b"]
    let missing: String? = nil
    #expect(try format(NSPredicate(format: "a == 1")) == "a == 1")
    #expect(try format(NSPredicate(format: "%K == %@", "name", "Ann")) == #"name == "Ann""#)
    #expect(
      try format(NSPredicate(format: "a == %d AND b == %ld AND c > %f", 1, Int64(2), 2.5))
        == "a == 1 AND b == 2 AND c > 2.5")
    #expect(try format(NSPredicate(format: "a == %@", NSNumber(value: true))) == "a == 1")
    #expect(try format(NSPredicate(format: "a == %@", true)) == "a == 1")
    #expect(try format(NSPredicate(format: "a == %@", 2.0)) == "a == 2.0")
    #expect(try format(NSPredicate(format: "a == %@", NSNumber(value: 2.0))) == "a == 2.0")
    #expect(try format(NSPredicate(format: "a == %@", UInt64.max)) == "a == 1.8446744073709552e+19")
    #expect(try format(NSPredicate(format: "a IN %@", names)) == #"a IN {"a", "b"}"#)
    #expect(try format(NSPredicate(format: "a IN %@", names as NSArray)) == #"a IN {"a", "b"}"#)
    #expect(try format(NSPredicate(format: "a IN %@", Set(["a"]))) == #"a IN {"a"}"#)
    #expect(try format(NSPredicate(format: "a IN %@", NSSet(array: [1]))) == "a IN {1}")
    #expect(try format(NSPredicate(format: "a == %@", missing)) == "a == nil")
    #expect(try format(NSPredicate(format: "a == %@", NSNull())) == "a == nil")
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    for argument in [date, date as NSDate, date as CVarArg] as [Any] {
      #expect(try format(NSPredicate(format: "a > %@", argument)) == #"a > CAST(1.5, "NSDate")"#)
    }
    #expect(try format(NSPredicate(format: "a == %@", Data([1]))) == #"a == CAST("AQ==", "NSData")"#)
    #expect(try format(NSPredicate(format: "a == %@", NSData(data: Data([1])))) == #"a == CAST("AQ==", "NSData")"#)
    let array = NSPredicate(format: "%K IN %@ AND c == %@", argumentArray: ["a", [1, 2], NSNull()])
    #expect(try format(array) == "a IN {1, 2} AND c == nil")
    #expect(try format(NSPredicate(format: "TRUEPREDICATE", argumentArray: nil)) == "TRUEPREDICATE")
  }

  @Test("compounds of objects retain their tree, and so do copies of formats")
  func compoundsOfObjectsRetainTheirTree() throws {
    let (a, b) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2 OR c == 3"))
    let and = NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])
    #expect(try format(and) == "a == 1 AND (b == 2 OR c == 3)")
    #expect(
      try format(NSCompoundPredicate(orPredicateWithSubpredicates: [and, a]))
        == "(a == 1 AND (b == 2 OR c == 3)) OR a == 1")
    #expect(try format(NSCompoundPredicate(notPredicateWithSubpredicate: b)) == "NOT (b == 2 OR c == 3)")
    #expect(try format(NSCompoundPredicate(andPredicateWithSubpredicates: [])) == "TRUEPREDICATE")
    #expect(try format(NSCompoundPredicate(orPredicateWithSubpredicates: [])) == "FALSEPREDICATE")
    #expect(try format(NSCompoundPredicate(andPredicateWithSubpredicates: [a])) == "a == 1")
    let copy = try #require(a.copy() as? NSPredicate)
    #expect(try format(copy) == "a == 1")
    #expect(try format(NSPredicate(value: true)) == "TRUEPREDICATE")
    #expect(try format(NSPredicate(value: false)) == "FALSEPREDICATE")
    let block = NSPredicate { _, _ in true }
    #expect(block.tree == nil)
    #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [a, block]).tree == nil)
    let deep = (0...PredicateTree.maximumDepth).reduce(a) { predicate, _ in
      NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    }
    #expect(deep.tree == nil)
  }

  @Test("predicates evaluate dictionaries, objects and simple values")
  func predicatesEvaluateDictionariesObjects() {
    let dictionary: [String: Any] = ["name": "Ann", "age": 30, "tags": ["x", "y"], "inner": ["a": 1.5]]
    #expect(NSPredicate(format: "name == %@ AND age > 18 AND ANY tags == 'y'", "Ann").evaluate(with: dictionary))
    #expect(NSPredicate(format: "inner.a == 1.5 AND missing == nil").evaluate(with: dictionary as NSDictionary))
    let person = Person("Ann", 30, friends: [Person("Bob", 7), Person("Cid", 40, nickname: "C")])
    #expect(NSPredicate(format: "name BEGINSWITH 'A' AND nickname == nil AND age == 30").evaluate(with: person))
    #expect(NSPredicate(format: "ANY friends.age < 10 AND friends.@avg.age == 23.5").evaluate(with: person))
    #expect(
      NSPredicate(format: "SUBQUERY(friends, $f, $f.nickname != nil)[FIRST].name == 'Cid'").evaluate(with: person))
    #expect(NSPredicate(format: "friends CONTAINS %@", person.friends[1]).evaluate(with: person))
    #expect(!NSPredicate(format: "friends CONTAINS %@", person).evaluate(with: person))
    #expect(["apple", "banana"].filter { NSPredicate(format: "SELF LIKE[c] 'B*'").evaluate(with: $0) } == ["banana"])
    #expect((["a", "b"] as NSArray).filtered(using: NSPredicate(format: "SELF IN {'b', 'c'}")) as? [String] == ["b"])
    let template = NSPredicate(format: "age > $limit")
    #expect(template.evaluate(with: dictionary, substitutionVariables: ["limit": 20]))
    #expect(template.withSubstitutionVariables(["limit": 20]).evaluate(with: dictionary))
    #expect(!template.withSubstitutionVariables(["limit": 40]).evaluate(with: dictionary))
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [template, NSPredicate(value: true)])
    #expect(compound.evaluate(with: dictionary, substitutionVariables: ["limit": 20]))
  }
}
