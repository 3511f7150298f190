import FaultInjection
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

/// Compares the order of the bytes that an index stores for values with the order of the values in queries.
@Suite("Queries: the order of indexed values")
struct FieldIndexKeyTests {
  private struct Generator {
    var random: SeededGenerator

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func value(_ kind: Int) -> FieldValue {
      switch kind {
      case 0: .int64(integer())
      case 1: .double(double())
      case 2: .timestamp(below(2) == 0 ? Moment(milliseconds: integer()) : Moment(secondsSince2001: double()))
      case 3: .string(text())
      case 4: .bytes((0..<pick([0, 1, 2, 3, 300])).map { _ in pick([0, 1, 2, 255]) })
      case 5: .reference(ReferenceValue(record: ExactName(text())))
      case 6: .location(LocationValue(latitude: double(), longitude: double()))
      case 7: .list(.string, [.string(text())])
      default: .asset(AssetValue(name: nil))
      }
    }

    mutating func integer() -> Int64 {
      let near = pick([0, 1 << 53, -(1 << 53), 1 << 62, .max, .min, Int64(below(100))] as [Int64])
      return near &+ Int64(below(5) - 2) * pick([1, 1, 512, 1024])
    }

    mutating func double() -> Double {
      switch below(3) {
      case 0: return pick([0, -0.0, 0x1p53, 0x1p62, 0x1p63, -0x1p63, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
      case 1: return Double(integer()) + pick([0, 0.5, -0.5])
      default:
        let number = Double(bitPattern: random.next())
        return number.isFinite ? number : 0
      }
    }

    mutating func text() -> String {
      let words = ["", "\0", "\u{1}", "\u{2}", "a", "é", "e\u{301}", "\u{10FFFF}"]
      let head = below(4) == 0 ? String(repeating: "x", count: 250 + below(8)) : ""
      return head + (0..<below(4)).map { _ in pick(words) }.joined()
    }
  }

  private static func order(_ one: FieldValue, _ other: FieldValue) -> Int {
    one.order(to: other) ?? (one.typeName == other.typeName ? 0 : one.typeName < other.typeName ? -1 : 1)
  }

  /// The order of index keys: each value is followed by a zero byte and a name.
  private static func order(_ one: [UInt8], _ other: [UInt8]) -> Int {
    let (one, other) = (one + [0], other + [0])
    return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
  }

  @Test("20,000 pairs of values have the same order in an index and in a query; values that are cut may only be equal")
  func pairsOfValuesHaveTheSameOrder() {
    let seed = TestSeed.value
    var generator = Generator(random: SeededGenerator(seed: seed))
    var equal = 0
    for round in 0..<20_000 {
      let kind = generator.below(9)
      let (one, other) = (generator.value(kind), generator.value(generator.below(3) == 0 ? generator.below(9) : kind))
      let expected = Self.order(one, other).signum()
      let (left, right) = (FieldIndexKey.bytes(of: one), FieldIndexKey.bytes(of: other))
      #expect(left.count <= FieldEncoding.maximumLength)
      let found = Self.order(left, right)
      if found == 0 { equal += 1 }
      let isExact = FieldIndexKey.isWhole(left) && FieldIndexKey.isWhole(right)
      if found != expected, isExact || found != 0 {
        Issue.record("seed \(seed), round \(round): \(one) and \(other) are \(expected), in the index \(found)")
      }
    }
    #expect(equal > 500)
  }

  @Test("20,000 comparisons: each matching value is within the index range, and others only if a value is cut")
  func comparisonsEachMatchingValueIsWithin() throws {
    let seed = TestSeed.value
    var generator = Generator(random: SeededGenerator(seed: seed))
    let comparators: [(QueryComparator, (Int) -> Bool)] = [
      (.lessThan, { $0 < 0 }), (.lessThanOrEquals, { $0 <= 0 }), (.greaterThan, { $0 > 0 }),
      (.greaterThanOrEquals, { $0 >= 0 }), (.equals, { $0 == 0 }),
    ]
    for round in 0..<20_000 {
      let kind = generator.below(4)
      let (wanted, value) = (generator.value(kind), generator.value(kind == 0 ? generator.below(2) : kind))
      let (comparator, holds) = generator.pick(comparators)
      let filter = QueryFilter("field", comparator, wanted)
      let ranges = try #require(filter.indexed(QueryRules(), user: nil)).ranges
      let bytes = FieldIndexKey.bytes(of: value)
      let key = bytes + [0] + Array(generator.pick(["a", "\u{1}", "\u{10FFFF}"]).utf8)
      let isWithin = ranges.contains {
        !key.lexicographicallyPrecedes($0.lower) && key.lexicographicallyPrecedes($0.upper)
      }
      let passes = value.order(to: wanted).map(holds) ?? false
      let isCut = !FieldIndexKey.isWhole(bytes) || !FieldIndexKey.isWhole(FieldIndexKey.bytes(of: wanted))
      if passes != isWithin, passes || !isCut {
        Issue.record("seed \(seed), round \(round): \(value) \(comparator) \(wanted): \(passes), within: \(isWithin)")
      }
    }
  }

  @Test(
    "missing values sort first, list elements after all values; every query examines a record with a very long list")
  func missingValuesSortFirstListElements() {
    #expect(FieldIndexKey.entries(of: nil) == [FieldIndexKey.missing])
    let numbers = (0..<FieldIndexKey.mostElements).map { FieldValue.int64(Int64($0)) }
    let entries = FieldIndexKey.entries(of: .list(.int64, numbers))
    #expect(entries.count == numbers.count + 1)
    #expect(entries.dropFirst().allSatisfy { $0[0] >= FieldIndexKey.element })
    #expect(FieldIndexKey.entries(of: .list(.int64, numbers + [.int64(-1)])).contains(FieldIndexKey.always))
    #expect(FieldIndexKey.entries(of: .list(.int64, [.int64(1), .double(1)])).count == 2)
    for value in [FieldValue.asset(AssetValue(name: nil)), .string(""), .int64(.min), .list(.unknown, [])] {
      let bytes = FieldIndexKey.bytes(of: value)
      #expect(FieldIndexKey.missing[0] < bytes[0])
      #expect(bytes[0] < FieldIndexKey.element)
    }
  }
}
