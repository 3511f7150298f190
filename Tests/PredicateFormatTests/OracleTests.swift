import FaultInjection
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import TestSupport
import Testing

/// Random predicates, each generated in two forms: as a text, and as a Swift closure over a Swift struct. The closures
/// do not use trees, values or options.
@Suite("an independent reference")
struct OracleTests {
  struct Person {
    var name: String?
    var age: Int?
    var weight: Double?
    var tags: [String]
    var scores: [Int]

    var value: PredicateValue {
      .dictionary([
        "name": name.map(PredicateValue.string) ?? .null, "age": age.map { .integer(Int64($0)) } ?? .null,
        "weight": weight.map(PredicateValue.double) ?? .null, "tags": .list(tags.map(PredicateValue.string)),
        "scores": .list(scores.map { .integer(Int64($0)) }),
      ])
    }
  }

  struct Pair {
    var text: String
    /// How strongly the text binds: 0 OR, 1 AND, 2 NOT, 3 any other form.
    var strength: Int
    var holds: (Person) -> Bool

    func inParentheses(below wanted: Int) -> String { strength < wanted ? "(\(text))" : text }
  }

  struct Generator {
    var random: SeededGenerator

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &random)]
    }

    mutating func person() -> Person {
      let names = ["Ann", "ann", "Bob", "Änn", "Anna", "", "bobby", "Zoë", "zoe"]
      return Person(
        name: pick([nil] + names.map(Optional.some)), age: pick([nil, 0, 1, 2, 17, 18, 40]),
        weight: pick([nil, 0, 1.5, 2, 40.25]), tags: (0..<pick([0, 1, 2, 3])).map { _ in pick(names) },
        scores: (0..<pick([0, 1, 2, 4])).map { _ in pick([0, 1, 2, 17, -3]) })
    }

    mutating func predicate(_ depth: Int) -> Pair {
      switch depth == 0 ? 0 : Int.random(in: 0..<5, using: &random) {
      case 1:
        let inner = predicate(depth - 1)
        return Pair(text: pick(["NOT ", "! ", "not "]) + inner.inParentheses(below: 2), strength: 2) {
          !inner.holds($0)
        }
      case 2, 3:
        let members = (0..<pick([2, 3])).map { _ in predicate(depth - 1) }
        if Bool.random(using: &random) {
          let text = members.map { $0.inParentheses(below: 2) }.joined(separator: pick([" AND ", " && ", " and "]))
          return Pair(text: text, strength: 1) { person in members.allSatisfy { $0.holds(person) } }
        }
        let text = members.map { $0.inParentheses(below: 1) }.joined(separator: pick([" OR ", " || ", " or "]))
        return Pair(text: text, strength: 0) { person in members.contains { $0.holds(person) } }
      default: return leaf()
      }
    }

    // MARK: Leaves

    mutating func leaf() -> Pair {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: return number()
      case 1: return arithmetic()
      case 2: return string()
      case 3: return insensitive()
      case 4: return members()
      case 5: return range()
      case 6: return nothing()
      case 7: return subquery()
      default: return wildcard()
      }
    }

    private typealias Relation = (signs: [String], holds: @Sendable (Double, Double) -> Bool)

    private static let relations: [Relation] = [
      (["==", "="], { $0 == $1 }), (["!=", "<>"], { $0 != $1 }), (["<"], { $0 < $1 }), (["<=", "=<"], { $0 <= $1 }),
      ([">"], { $0 > $1 }), ([">=", "=>"], { $0 >= $1 }),
    ]

    private mutating func number() -> Pair {
      let relation = pick(Self.relations)
      let sign = pick(relation.signs)
      let wanted = pick([0, 1, 2, 17, 18.5, 40, -3])
      let text = wanted == wanted.rounded() && Bool.random(using: &random) ? String(Int(wanted)) : String(wanted)
      let isAge = Bool.random(using: &random)
      let value: (Person) -> Double? = { isAge ? $0.age.map(Double.init) : $0.weight }
      return Pair(text: "\(isAge ? "age" : "weight") \(sign) \(text)", strength: 3) { person in
        guard let value = value(person) else { return ["!=", "<>"].contains(sign) }
        return relation.holds(value, wanted)
      }
    }

    private mutating func arithmetic() -> Pair {
      let relation = pick(Self.relations)
      let (a, b, c) = (pick([1, 2, 3]), pick([1, 2, 5]), pick([-4, 0, 7, 20]))
      let sign = pick(relation.signs)
      let forms: [(String, (Int) -> Int)] = [
        ("age + \(a) * \(b)", { $0 + a * b }), ("(age + \(a)) * \(b)", { ($0 + a) * b }),
        ("age - \(a) - \(b)", { $0 - a - b }), ("age - (\(a) - \(b))", { $0 - (a - b) }),
        ("age / \(a) / \(b)", { $0 / a / b }), ("-age * \(a) + \(b)", { -$0 * a + b }),
        (
          "\(a) ** \(b) - age",
          { age in
            (0..<b).reduce(1) { power, _ in power * a } - age
          }
        ), ("age & \(a) | \(b)", { $0 & a | b }),
      ]
      let form = pick(forms)
      return Pair(text: "\(form.0) \(sign) \(c)", strength: 3) { person in
        guard let age = person.age else { return ["!=", "<>"].contains(sign) }
        return relation.holds(Double(form.1(age)), Double(c))
      }
    }

    private mutating func string() -> Pair {
      let wanted = pick(["Ann", "a", "nn", "", "Änn", "o"])
      let forms: [(String, (String) -> Bool)] = [
        ("name BEGINSWITH '\(wanted)'", { Array($0).starts(with: Array(wanted)) }),
        ("name ENDSWITH \"\(wanted)\"", { Array($0.reversed()).starts(with: Array(wanted.reversed())) }),
        ("name contains '\(wanted)'", { Self.isPart(wanted, of: $0) }),
        ("'\(wanted)' IN name", { Self.isPart(wanted, of: $0) }),
        ("name == '\(wanted)'", { $0 == wanted }),
      ]
      let form = pick(forms)
      return Pair(text: form.0, strength: 3) { $0.name.map(form.1) ?? false }
    }

    private static func isPart(_ part: String, of text: String) -> Bool {
      let (text, part) = (Array(text), Array(part))
      guard part.count <= text.count else { return false }
      return (0...(text.count - part.count)).contains { Array(text[$0..<($0 + part.count)]) == part }
    }

    /// The text without case and diacritics, for the names in these tests.
    private static func plain(_ text: String) -> String {
      text.lowercased().replacing("ä", with: "a").replacing("ë", with: "e")
    }

    private mutating func insensitive() -> Pair {
      let wanted = pick(["ANN", "änn", "zoe", "B"])
      let forms: [(String, (String) -> Bool)] = [
        ("name ==[cd] '\(wanted)'", { Self.plain($0) == Self.plain(wanted) }),
        ("name BEGINSWITH[dc] '\(wanted)'", { Self.plain($0).hasPrefix(Self.plain(wanted)) }),
        ("name ==[c] '\(wanted)'", { $0.lowercased() == wanted.lowercased() }),
        ("name IN[cd] {'x', '\(wanted)'}", { Self.plain($0) == Self.plain(wanted) }),
      ]
      let form = pick(forms)
      return Pair(text: form.0, strength: 3) { $0.name.map(form.1) ?? false }
    }

    private mutating func members() -> Pair {
      let wanted = pick(["Ann", "Bob", "zoe"])
      let number = pick([0, 1, 17])
      return pick([
        Pair(text: "ANY tags == '\(wanted)'", strength: 3) { $0.tags.contains(wanted) },
        Pair(text: "tags CONTAINS '\(wanted)'", strength: 3) { $0.tags.contains(wanted) },
        Pair(text: "ALL tags != '\(wanted)'", strength: 3) { !$0.tags.contains(wanted) },
        Pair(text: "NONE scores > \(number)", strength: 3) { $0.scores.allSatisfy { $0 <= number } },
        Pair(text: "SOME scores IN {\(number), -3}", strength: 3) { $0.scores.contains { $0 == number || $0 == -3 } },
        Pair(text: "scores.@count > \(number)", strength: 3) { $0.scores.count > number },
        Pair(text: "scores.@sum.self == \(number)", strength: 3) { $0.scores.reduce(0, +) == number },
        Pair(text: "max(scores) >= \(number)", strength: 3) { $0.scores.max().map { $0 >= number } ?? false },
        Pair(text: "scores[FIRST] == \(number)", strength: 3) { $0.scores.first == number },
      ])
    }

    private mutating func range() -> Pair {
      let (low, high) = (pick([0, 1, 17]), pick([1, 18, 40]))
      return pick([
        Pair(text: "age BETWEEN {\(low), \(high)}", strength: 3) { $0.age.map { low <= $0 && $0 <= high } ?? false },
        Pair(text: "age IN {\(low), \(high).0, nil}", strength: 3) { $0.age.map { $0 == low || $0 == high } ?? true },
        Pair(text: "ANY scores BETWEEN {\(low), \(high)}", strength: 3) {
          $0.scores.contains { low <= $0 && $0 <= high }
        },
      ])
    }

    private mutating func nothing() -> Pair {
      pick([
        Pair(text: "name == nil", strength: 3) { $0.name == nil },
        Pair(text: "age != NULL", strength: 3) { $0.age != nil },
        Pair(text: "TRUEPREDICATE", strength: 3) { _ in true },
        Pair(text: "FALSEPREDICATE", strength: 3) { _ in false },
      ])
    }

    private mutating func subquery() -> Pair {
      let (number, count) = (pick([0, 1, 2, 17]), pick([0, 1, 2]))
      return Pair(text: "SUBQUERY(scores, $s, $s >= \(number) AND NOT $s = 2).@count == \(count)", strength: 3) {
        $0.scores.filter { $0 >= number && $0 != 2 }.count == count
      }
    }

    private mutating func wildcard() -> Pair {
      let pattern = pick(["*", "A*", "?nn", "*n*", "b?b*", "??", "*o?", ""])
      return pick([
        Pair(text: "name LIKE '\(pattern)'", strength: 3) { person in
          person.name.map { Self.like(Array($0)[...], Array(pattern)[...]) } ?? false
        },
        Pair(text: "name MATCHES '[A-Z].*|(b.)+y'", strength: 3) { person in
          guard let name = person.name else { return false }
          let isCapital = name.unicodeScalars.first.map { ("A"..."Z").contains($0) } ?? false
          return isCapital || name == "bobby"
        },
      ])
    }

    private static func like(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" { return (text.startIndex...text.endIndex).contains { like(text[$0...], pattern.dropFirst()) } }
      guard let character = text.first, first == "?" || first == character else { return false }
      return like(text.dropFirst(), pattern.dropFirst())
    }
  }

  @Test("5,000 random predicates over 8 random people each agree with the reference, also in printed form")
  func randomPredicatesOver8RandomPeople() throws {
    var held = 0
    for seed in TestSeed.values(1...5000) {
      var generator = Generator(random: SeededGenerator(seed: seed))
      let pair = generator.predicate(3)
      let tree = try #require(try? PredicateTree(format: pair.text), "seed \(seed): \(pair.text)")
      var evaluator = PredicateEvaluator(tree, matching: TextPattern.matching)
      var again = PredicateEvaluator(try PredicateTree(format: tree.format), matching: TextPattern.matching)
      for _ in 0..<8 {
        let person = generator.person()
        let wanted = pair.holds(person)
        #expect(try evaluator.matches(person.value) == wanted, "seed \(seed): \(pair.text) for \(person)")
        #expect(try again.matches(person.value) == wanted, "seed \(seed): \(pair.text) for \(person)")
        if wanted { held += 1 }
      }
    }
    // The predicates are neither nearly always nor nearly never true.
    #expect((8000...32_000).contains(held), "\(held)")
  }
}
