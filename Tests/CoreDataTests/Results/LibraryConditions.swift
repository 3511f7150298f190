import CoreData
import FaultInjection
import Foundation

/// A condition as a predicate format, and its truth for plain values.
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
  /// Nil if the truth is unknown, as with nil in a store on disk.
  var truth: (LibraryWorld, Int) -> Bool?

  func holds(_ world: LibraryWorld, _ id: Int) -> Bool { truth(world, id) == true }

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
      let truths = [one.truth($0, $1), other.truth($0, $1)]
      return truths.contains(false) ? false : truths.contains(nil) ? nil : true
    }
  }

  static func || (one: Self, other: Self) -> Self {
    Self(format: "(\(one.format)) OR (\(other.format))", arguments: one.arguments + other.arguments) {
      let truths = [one.truth($0, $1), other.truth($0, $1)]
      return truths.contains(true) ? true : truths.contains(nil) ? nil : false
    }
  }

  static prefix func ! (one: Self) -> Self {
    Self(format: "NOT (\(one.format))", arguments: one.arguments) { one.truth($0, $1).map { !$0 } }
  }
}

/// A condition for one value.
struct ValueCondition<Value> {
  var format: String
  var arguments: [LibraryCondition.Argument]
  /// Treats nil as an ordinary value.
  var holds: (Value?) -> Bool

  init(_ format: String, _ arguments: [LibraryCondition.Argument], _ holds: @escaping (Value?) -> Bool) {
    (self.format, self.arguments, self.holds) = (format, arguments, holds)
  }

  /// The truth for a value in a world. On disk, only explicit comparisons with nil are known for nil.
  func truth(_ value: Value?, _ world: LibraryWorld) -> Bool? {
    let asksForNil = format.hasSuffix("nil") || arguments.contains { if case .value(nil) = $0 { true } else { false } }
    return value == nil && !asksForNil && world.nilIsUnknown ? nil : holds(value)
  }
}

/// Generates random conditions.
struct LibraryConditions {
  var random: SeededGenerator
  /// The objects that conditions may refer to.
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

  /// A condition on the text at a path.
  private mutating func text(_ path: String) -> ValueCondition<String> {
    let word = text()
    let words = [text(), text(), text()]
    let folded = Self.folded(word)
    switch number(0..<13) {
    case 0: return ValueCondition("\(path) == %@", [.value(word)], { $0 == word })
    case 1: return ValueCondition("\(path) != %@", [.value(word)], { $0 != word })
    case 2: return ValueCondition("\(path) == nil", [], { $0 == nil })
    case 3: return ValueCondition("\(path) != %@", [.value(nil)], { $0 != nil })
    case 4: return ValueCondition("\(path) < %@", [.value(word)], { $0.map { $0 < word } ?? false })
    case 5: return ValueCondition("\(path) >= %@", [.value(word)], { $0.map { $0 >= word } ?? false })
    case 6: return ValueCondition("\(path) BEGINSWITH %@", [.value(word)], { $0.map { $0.hasPrefix(word) } ?? false })
    case 7:
      return ValueCondition(
        "\(path) CONTAINS[cd] %@", [.value(word)],
        { text in
          text.map { folded.isEmpty || Self.folded($0).contains(folded) } ?? false
        }
      )
    case 8:
      return ValueCondition(
        "\(path) ==[c] %@", [.value(word)], { $0.map { $0.lowercased() == word.lowercased() } ?? false })
    case 9: return ValueCondition("\(path) IN %@", [.values(words)], { $0.map { words.contains($0) } ?? false })
    case 10: return ValueCondition("\(path) LIKE 'a*'", [], { $0.map { $0.hasPrefix("a") } ?? false })
    case 11:
      return ValueCondition(
        "\(path) MATCHES '[ab]+'", [],
        { text in
          text.map { !$0.isEmpty && $0.allSatisfy { $0 == "a" || $0 == "b" } } ?? false
        }
      )
    default: return ValueCondition("\(path) ENDSWITH %@", [.value(word)], { $0.map { $0.hasSuffix(word) } ?? false })
    }
  }

  /// A condition on the number at a path. `isMany`: the path may have several values.
  private mutating func amount(
    _ path: String, isMany: Bool = false
  ) -> ValueCondition<Double> {
    let (one, other) = (Double(number(-1..<8)), Double(number(-1..<8)) + 0.5)
    let (low, high) = (min(one, other), max(one, other))
    switch number(0..<(isMany ? 8 : 10)) {
    case 0: return ValueCondition("\(path) == %@", [.value(Int(one))], { $0 == one })
    case 1: return ValueCondition("\(path) != %@", [.value(Int(one))], { $0 != one })
    case 2: return ValueCondition("\(path) == nil", [], { $0 == nil })
    case 3: return ValueCondition("\(path) < %@", [.value(one)], { $0.map { $0 < one } ?? false })
    case 4: return ValueCondition("\(path) > %@", [.value(other)], { $0.map { $0 > other } ?? false })
    case 5:
      return ValueCondition(
        "\(path) BETWEEN %@", [.values([low, high])], { $0.map { $0 >= low && $0 <= high } ?? false })
    case 6: return ValueCondition("\(path) IN %@", [.values([Int(one), 3])], { $0 == one || $0 == 3 })
    case 7: return ValueCondition("\(path) == %@", [.value("\(Int(one))")], { $0 == one })
    case 8: return ValueCondition("%@ >= \(path)", [.value(one)], { $0.map { one >= $0 } ?? false })
    default: return ValueCondition("\(path) + 1 <= %@", [.value(other)], { $0.map { $0 + 1 <= other } ?? false })
    }
  }

  private func made<Value>(
    _ condition: ValueCondition<Value>, _ value: @escaping (LibraryWorld, Int) -> Value?
  ) -> LibraryCondition {
    LibraryCondition(format: condition.format, arguments: condition.arguments) {
      condition.truth(value($0, $1), $0)
    }
  }

  /// A condition that at least one of several values must satisfy.
  private func any<Value>(
    _ condition: ValueCondition<Value>, _ values: @escaping (LibraryWorld, Int) -> [Value?]
  ) -> LibraryCondition {
    LibraryCondition(format: condition.format, arguments: condition.arguments) { world, id in
      values(world, id).contains { condition.truth($0, world) == true }
    }
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
      ) { world, id in world.books[id]?.date.map { $0 <= moment } ?? world.unknown }
    case 6: return LibraryCondition(format: "isLent == YES") { world, id in world.books[id]?.isLent ?? world.unknown }
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
      return LibraryCondition(format: condition.format, arguments: condition.arguments) { world, id in
        (world.books[id]?.tags ?? []).allSatisfy {
          condition.truth(world.tags[$0]?.weight.map(Double.init), world) == true
        }
      }
    case 14:
      let condition = text("NONE tags.name")
      return LibraryCondition(format: condition.format, arguments: condition.arguments) { world, id in
        !(world.books[id]?.tags ?? []).contains { condition.truth(world.tags[$0]?.name, world) == true }
      }
    case 15:
      let (weight, name) = (amount("$t.weight"), text("$t.name"))
      return LibraryCondition(
        format: "SUBQUERY(tags, $t, \(weight.format) OR \(name.format)).@count > \(few / 2)",
        arguments: weight.arguments + name.arguments
      ) { world, id in
        (world.books[id]?.tags ?? []).count {
          weight.truth(world.tags[$0]?.weight.map(Double.init), world) == true
            || name.truth(world.tags[$0]?.name, world) == true
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
        ((world.books[id]?.tags ?? []).compactMap { world.tags[$0]?.weight }.max()).map { $0 > few } ?? world.unknown
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
        world.tags[id]?.weight.map { $0 < world.books(tagged: id).count } ?? world.unknown
      }
    }
  }

  /// Whether an object equals a random object, or one of several.
  private mutating func same(
    _ entity: String, _ path: String = "SELF", _ object: @escaping (LibraryWorld, Int) -> Int?
  ) -> LibraryCondition {
    let all = world.all(entity).sorted()
    guard let one = all.randomElement(using: &random) else {
      return LibraryCondition(format: "TRUEPREDICATE") { _, _ in true }
    }
    switch number(0..<4) {
    case 0:
      return LibraryCondition(format: "\(path) == %@", arguments: [.object(entity, one)]) { world, id in
        object(world, id).map { $0 == one } ?? world.unknown
      }
    case 1:
      return LibraryCondition(format: "\(path) == %@", arguments: [.id(entity, one)]) { world, id in
        object(world, id).map { $0 == one } ?? world.unknown
      }
    case 2:
      return LibraryCondition(format: "\(path) != %@", arguments: [.object(entity, one)]) { world, id in
        object(world, id).map { $0 != one } ?? (world.nilIsUnknown ? nil : true)
      }
    default:
      let some = all.filter { _ in number(0..<3) == 0 }
      return LibraryCondition(format: "\(path) IN %@", arguments: [.objects(entity, some)]) { world, id in
        object(world, id).map { some.contains($0) } ?? (some.isEmpty ? false : world.unknown)
      }
    }
  }
}
