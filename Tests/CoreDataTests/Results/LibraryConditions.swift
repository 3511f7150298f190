import CoreData
import FaultInjection
import Foundation

/// A condition in the words of a predicate, and what it says of plain values.
struct LibraryCondition {
  enum Argument {
    case value(Any?)
    case values([Any])
    case object(String, Int)
    case id(String, Int)
    case objects(String, [Int])
  }

  var format: String
  var arguments: [Argument] = []
  var holds: (LibraryWorld, Int) -> Bool

  func predicate(in library: Library, _ context: NSManagedObjectContext) throws -> NSPredicate {
    let values: [Any] = try arguments.map { argument in
      switch argument {
      case .value(let value): value ?? NSNull()
      case .values(let values): values
      case .object(let entity, let number): try library.object(entity, number, in: context)
      case .id(let entity, let number): try library.object(entity, number, in: context).objectID
      case .objects(let entity, let numbers): Set(try numbers.map { try library.object(entity, $0, in: context) })
      }
    }
    return NSPredicate(format: format, argumentArray: values)
  }

  static func && (one: Self, other: Self) -> Self {
    Self(format: "(\(one.format)) AND (\(other.format))", arguments: one.arguments + other.arguments) {
      one.holds($0, $1) && other.holds($0, $1)
    }
  }

  static func || (one: Self, other: Self) -> Self {
    Self(format: "(\(one.format)) OR (\(other.format))", arguments: one.arguments + other.arguments) {
      one.holds($0, $1) || other.holds($0, $1)
    }
  }

  static prefix func ! (one: Self) -> Self {
    Self(format: "NOT (\(one.format))", arguments: one.arguments) { !one.holds($0, $1) }
  }
}

/// Makes random conditions.
struct LibraryConditions {
  var random: SeededGenerator
  /// Whose objects conditions may name.
  var world: LibraryWorld

  static let texts = ["", "a", "A", "á", "ab", "Ab", "b", "B", "ba", "bab", "c", "ç", "Ça", "a.b", "a*", "?b"]

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func pick<Item>(_ items: [Item]) -> Item { items[number(0..<items.count)] }
  mutating func text() -> String { pick(Self.texts) }

  mutating func condition(_ entity: String, depth: Int = 2) -> LibraryCondition {
    switch depth > 0 ? number(0..<8) : 7 {
    case 0, 1: condition(entity, depth: depth - 1) && condition(entity, depth: depth - 1)
    case 2: condition(entity, depth: depth - 1) || condition(entity, depth: depth - 1)
    case 3: !condition(entity, depth: depth - 1)
    default: simple(entity)
    }
  }

  private mutating func simple(_ entity: String) -> LibraryCondition {
    switch entity {
    case "Author": author()
    case "Book": book()
    default: tag()
    }
  }

  // MARK: Values

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// A condition on a text, for a path.
  private mutating func text(_ path: String) -> (format: String, [LibraryCondition.Argument], (String?) -> Bool) {
    let word = text()
    let words = [text(), text(), text()]
    let folded = Self.folded(word)
    switch number(0..<13) {
    case 0: return ("\(path) == %@", [.value(word)], { $0 == word })
    case 1: return ("\(path) != %@", [.value(word)], { $0 != word })
    case 2: return ("\(path) == nil", [], { $0 == nil })
    case 3: return ("\(path) != %@", [.value(nil)], { $0 != nil })
    case 4: return ("\(path) < %@", [.value(word)], { $0.map { $0 < word } ?? false })
    case 5: return ("\(path) >= %@", [.value(word)], { $0.map { $0 >= word } ?? false })
    case 6: return ("\(path) BEGINSWITH %@", [.value(word)], { $0.map { $0.hasPrefix(word) } ?? false })
    case 7:
      return (
        "\(path) CONTAINS[cd] %@", [.value(word)],
        { text in
          text.map { folded.isEmpty || Self.folded($0).contains(folded) } ?? false
        }
      )
    case 8: return ("\(path) ==[c] %@", [.value(word)], { $0.map { $0.lowercased() == word.lowercased() } ?? false })
    case 9: return ("\(path) IN %@", [.values(words)], { $0.map { words.contains($0) } ?? false })
    case 10: return ("\(path) LIKE 'a*'", [], { $0.map { $0.hasPrefix("a") } ?? false })
    case 11:
      return (
        "\(path) MATCHES '[ab]+'", [],
        { text in
          text.map { !$0.isEmpty && $0.allSatisfy { $0 == "a" || $0 == "b" } } ?? false
        }
      )
    default: return ("\(path) ENDSWITH %@", [.value(word)], { $0.map { $0.hasSuffix(word) } ?? false })
    }
  }

  /// A condition on a number, for a path; `isMany`: which may have several values.
  private mutating func amount(
    _ path: String, isMany: Bool = false
  ) -> (format: String, [LibraryCondition.Argument], (Double?) -> Bool) {
    let (one, other) = (Double(number(-1..<8)), Double(number(-1..<8)) + 0.5)
    let (low, high) = (min(one, other), max(one, other))
    switch number(0..<(isMany ? 8 : 10)) {
    case 0: return ("\(path) == %@", [.value(Int(one))], { $0 == one })
    case 1: return ("\(path) != %@", [.value(Int(one))], { $0 != one })
    case 2: return ("\(path) == nil", [], { $0 == nil })
    case 3: return ("\(path) < %@", [.value(one)], { $0.map { $0 < one } ?? false })
    case 4: return ("\(path) > %@", [.value(other)], { $0.map { $0 > other } ?? false })
    case 5: return ("\(path) BETWEEN %@", [.values([low, high])], { $0.map { $0 >= low && $0 <= high } ?? false })
    case 6: return ("\(path) IN %@", [.values([Int(one), 3])], { $0 == one || $0 == 3 })
    case 7: return ("\(path) == %@", [.value("\(Int(one))")], { $0 == one })
    case 8: return ("%@ >= \(path)", [.value(one)], { $0.map { one >= $0 } ?? false })
    default: return ("\(path) + 1 <= %@", [.value(other)], { $0.map { $0 + 1 <= other } ?? false })
    }
  }

  private func made<Value>(
    _ condition: (String, [LibraryCondition.Argument], (Value?) -> Bool),
    _ value: @escaping (LibraryWorld, Int) -> Value?
  ) -> LibraryCondition {
    LibraryCondition(format: condition.0, arguments: condition.1) { condition.2(value($0, $1)) }
  }

  /// A condition of one of several values.
  private func any<Value>(
    _ condition: (String, [LibraryCondition.Argument], (Value?) -> Bool),
    _ values: @escaping (LibraryWorld, Int) -> [Value?]
  ) -> LibraryCondition {
    LibraryCondition(format: condition.0, arguments: condition.1) { values($0, $1).contains(where: condition.2) }
  }

  // MARK: Entities

  private mutating func author() -> LibraryCondition {
    let few = number(0..<4)
    let word = text()
    switch number(0..<12) {
    case 0, 1: return made(text("name")) { $0.authors[$1]?.name }
    case 2: return made(amount("age")) { $0.authors[$1].map { Double($0.age) } }
    case 3: return made(amount("score")) { $0.authors[$1]?.score }
    case 4: return LibraryCondition(format: "books.@count > \(few)") { $0.books(of: $1).count > few }
    case 5: return any(text("ANY books.title")) { world, id in world.books(of: id).map { world.books[$0]?.title } }
    case 6:
      return any(text("ANY books.tags.name")) { world, id in
        world.books(of: id).flatMap { world.books[$0]?.tags ?? [] }.map { world.tags[$0]?.name }
      }
    case 7:
      return any(amount("books.pages", isMany: true)) { world, id in
        world.books(of: id).map { world.books[$0].map { Double($0.pages) } }
      }
    case 8:
      return LibraryCondition(
        format: "SUBQUERY(books, $b, $b.pages > \(few) AND ANY $b.tags.name == %@).@count > 0",
        arguments: [.value(word)]
      ) { world, id in
        world.books(of: id).contains { book in
          guard let book = world.books[book] else { return false }
          return book.pages > few && book.tags.contains { world.tags[$0]?.name == word }
        }
      }
    case 9:
      return LibraryCondition(format: "books.@sum.pages >= \(few * 3)") { world, id in
        world.books(of: id).reduce(0) { $0 + (world.books[$1]?.pages ?? 0) } >= few * 3
      }
    case 10: return same("Author") { _, id in id }
    default:
      return LibraryCondition(format: "books == nil") { $0.books(of: $1).isEmpty }
    }
  }

  private mutating func book() -> LibraryCondition {
    let few = number(0..<4)
    switch number(0..<18) {
    case 0, 1: return made(text("title")) { $0.books[$1]?.title }
    case 2, 3: return made(amount("pages")) { $0.books[$1].map { Double($0.pages) } }
    case 4: return made(amount("price")) { $0.books[$1]?.price }
    case 5:
      let moment = Double(number(0..<6))
      return LibraryCondition(
        format: "date <= %@", arguments: [.value(Date(timeIntervalSinceReferenceDate: moment))]
      ) { $0.books[$1]?.date.map { $0 <= moment } ?? false }
    case 6: return LibraryCondition(format: "isLent == YES") { $0.books[$1]?.isLent == true }
    case 7: return LibraryCondition(format: "author == nil") { $0.books[$1]?.author == nil }
    case 8: return same("Author", "author") { $0.books[$1]?.author }
    case 9:
      return made(text("author.name")) { world, id in world.books[id]?.author.flatMap { world.authors[$0]?.name } }
    case 10:
      return made(amount("author.age")) { world, id in
        world.books[id]?.author.flatMap { world.authors[$0] }.map { Double($0.age) }
      }
    case 11: return LibraryCondition(format: "tags.@count == \(few)") { $0.books[$1]?.tags.count == few }
    case 12:
      return any(text("ANY tags.name")) { world, id in (world.books[id]?.tags ?? []).map { world.tags[$0]?.name } }
    case 13:
      let condition = amount("ALL tags.weight", isMany: true)
      return LibraryCondition(format: condition.format, arguments: condition.1) { world, id in
        (world.books[id]?.tags ?? []).allSatisfy { condition.2(world.tags[$0]?.weight.map(Double.init)) }
      }
    case 14:
      let condition = text("NONE tags.name")
      return LibraryCondition(format: condition.format, arguments: condition.1) { world, id in
        !(world.books[id]?.tags ?? []).contains { condition.2(world.tags[$0]?.name) }
      }
    case 15:
      let (weight, name) = (amount("$t.weight"), text("$t.name"))
      return LibraryCondition(
        format: "SUBQUERY(tags, $t, \(weight.format) OR \(name.format)).@count > \(few / 2)",
        arguments: weight.1 + name.1
      ) { world, id in
        (world.books[id]?.tags ?? []).count {
          weight.2(world.tags[$0]?.weight.map(Double.init)) || name.2(world.tags[$0]?.name)
        } > few / 2
      }
    case 16:
      guard let tag = world.tags.keys.sorted().randomElement(using: &random) else { return book() }
      return LibraryCondition(
        format: pick(["tags CONTAINS %@", "ANY tags == %@", "tags == %@", "%@ IN tags"]),
        arguments: [.object("Tag", tag)]
      ) { $0.books[$1]?.tags.contains(tag) ?? false }
    default:
      return LibraryCondition(format: "tags.@max.weight > \(few)") { world, id in
        ((world.books[id]?.tags ?? []).compactMap { world.tags[$0]?.weight }.max()).map { $0 > few } ?? false
      }
    }
  }

  private mutating func tag() -> LibraryCondition {
    let few = number(0..<4)
    switch number(0..<7) {
    case 0: return made(text("name")) { $0.tags[$1]?.name }
    case 1: return made(amount("weight")) { $0.tags[$1]?.weight.map(Double.init) }
    case 2: return LibraryCondition(format: "books.@count < \(few)") { $0.books(tagged: $1).count < few }
    case 3:
      return any(text("ANY books.author.name")) { world, id in
        world.books(tagged: id).map { world.books[$0]?.author.flatMap { world.authors[$0]?.name } }
      }
    case 4:
      return any(amount("ANY books.pages", isMany: true)) { world, id in
        world.books(tagged: id).map { world.books[$0].map { Double($0.pages) } }
      }
    case 5: return same("Tag") { _, id in id }
    default:
      return LibraryCondition(format: "weight < books.@count") { world, id in
        world.tags[id]?.weight.map { $0 < world.books(tagged: id).count } ?? false
      }
    }
  }

  /// Whether an object is this one, or one of some.
  private mutating func same(
    _ entity: String, _ path: String = "SELF", _ object: @escaping (LibraryWorld, Int) -> Int?
  ) -> LibraryCondition {
    let all = world.all(entity).sorted()
    guard let one = all.randomElement(using: &random) else {
      return LibraryCondition(format: "TRUEPREDICATE") { _, _ in true }
    }
    switch number(0..<4) {
    case 0:
      return LibraryCondition(format: "\(path) == %@", arguments: [.object(entity, one)]) { object($0, $1) == one }
    case 1: return LibraryCondition(format: "\(path) == %@", arguments: [.id(entity, one)]) { object($0, $1) == one }
    case 2:
      return LibraryCondition(format: "\(path) != %@", arguments: [.object(entity, one)]) { object($0, $1) != one }
    default:
      let some = all.filter { _ in number(0..<3) == 0 }
      return LibraryCondition(format: "\(path) IN %@", arguments: [.objects(entity, some)]) { world, id in
        object(world, id).map { some.contains($0) } ?? false
      }
    }
  }
}
