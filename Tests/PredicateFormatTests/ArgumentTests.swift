import LocalCloudPredicateFormat
import Testing

@Suite("Predicates: substitution of arguments")
struct ArgumentTests {
  private func printed(_ format: String, _ arguments: PredicateValue...) throws -> String {
    try PredicateTree(format: format, arguments: arguments).format
  }

  @Test("%@ substitutes any constant, %K a key path, other conversions numbers and strings")
  func substitutesAnyConstantKAKeyPath() throws {
    #expect(try printed("a == %@", .string("x\"y")) == #"a == "x\"y""#)
    #expect(try printed("a == %@", .null) == "a == nil")
    #expect(try printed("a IN %@", .list([.integer(1), .string("b")])) == #"a IN {1, "b"}"#)
    #expect(try printed("a > %@", .date(0.5)) == #"a > CAST(0.5, "NSDate")"#)
    #expect(try printed("a == %@", .data([1, 2, 3])) == #"a == CAST("AQID", "NSData")"#)
    #expect(try printed("%K == 1", .string("a.b.@count")) == "a.b.@count == 1")
    #expect(try printed("%K == 1", .string("size")) == "#size == 1")
    #expect(try printed("%K == 1", .string("a b")) == #"a\u0020b == 1"#)
    #expect(try printed("%K.%K.c == 1", .string("a"), .string("b")) == "a.b.c == 1")
    #expect(try printed("%K CONTAINS 'x'", .string("self")) == #"SELF CONTAINS "x""#)
    for conversion in [
      "d", "i", "u", "x", "o", "ld", "lld", "lu", "llu", "hd", "hhd", "qi", "zd", "D", "U", "lud", "ud",
    ] {
      #expect(try printed("a == %\(conversion)", .integer(-7)) == "a == -7", "%\(conversion)")
    }
    for conversion in ["f", "lf", "e", "g", "Lf"] {
      #expect(try printed("a == %\(conversion)", .double(2.5)) == "a == 2.5", "%\(conversion)")
      #expect(try printed("a == %\(conversion)", .integer(2)) == "a == 2.0", "%\(conversion)")
    }
    #expect(try printed("a == %s", .string("x")) == #"a == "x""#)
    #expect(try printed("a == %c", .integer(65)) == #"a == "A""#)
  }

  @Test("arguments are substituted in the order of the format; excess ones are ignored")
  func argumentsAreSubstitutedInTheOrder() throws {
    #expect(
      try printed(
        "%K == %@ AND SUBQUERY(%K, $x, $x.%K > %d).@count > %d", .string("a"), .integer(1), .string("b"),
        .string("c"), .integer(2), .integer(3), .string("left over"))
        == "a == 1 AND SUBQUERY(b, $x, $x.c > 2).@count > 3")
    #expect(try printed("(%@ == a) AND ((%@ + b) == 3)", .integer(1), .integer(2)) == "1 == a AND 2 + b == 3")
  }

  @Test("quoted text is not substituted")
  func quotedTextIsNotSubstituted() throws {
    #expect(try printed("a == '%@' AND b == %@", .integer(1)) == #"a == "%@" AND b == 1"#)
  }

  @Test("a wrong or missing argument is an error with its position")
  func wrongOrMissingArgumentIsAnError() throws {
    func message(_ format: String, _ arguments: PredicateValue...) -> String? {
      do throws(PredicateFormatError) { _ = try PredicateTree(format: format, arguments: arguments) } catch {
        return "\(error.column): \(error.message)"
      }
      return nil
    }
    #expect(message("a == %@ AND b == %@", .integer(1)) == "18: there is 1 argument, and this wants more")
    #expect(message("%K == %@") == "1: there are 0 arguments, and this wants more")
    #expect(message("a == %d", .string("1")) == "6: the argument is no integer")
    #expect(message("a == %d", .double(1.5)) == "6: the argument is no integer")
    #expect(message("a == %f", .string("1")) == "6: the argument is no number")
    #expect(message("a == %s", .integer(-1)) == "6: the argument is no character")
    #expect(message("a == %s", .date(1)) == "6: the argument is no string")
    #expect(message("%K == 1", .integer(1)) == "1: the argument for %K is no string")
    for path in ["", ".", "a.", ".a", "a..b", "@", "a.@"] {
      #expect(message("%K == 1", .string(path)) == "1: the argument for %K has an empty key", "\(path)")
    }
    #expect(message("a == %@(1)", .string("sum")) == "8: expected AND, OR or the end, found \"(\"")
    // A whole predicate can't be substituted.
    #expect(message("%@", .string("a == 1")) == "3: expected a comparison's operator, found the end")
  }
}
