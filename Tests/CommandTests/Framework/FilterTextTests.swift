import LocalCloudCommands
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import Testing

@Suite("Filters and sort keys as command arguments ([query-json-2])")
struct FilterTextTests {
  private func value(_ text: String) throws -> FieldValue { try FilterText.filter("f == \(text)").value }

  /// The reason and the hint of a refusal; nil if the filter is accepted.
  private func refusal(_ text: String, toolOnly: Bool = false) -> String? {
    do { _ = try FilterText.filter(text, toolOnly: toolOnly) } catch let failure as CommandFailure {
      #expect(failure.exitCode == .usage)
      return failure.message + (failure.hint.map { " | " + $0 } ?? "")
    } catch {
      return "\(error)"
    }
    return nil
  }

  @Test("each word of cktool and each sign is parsed as a comparator, with spaces around signs ([query-json-2])")
  func eachWordOfCktoolAndEachSign() throws {
    let pairs: [(String, QueryComparator)] = [
      ("EQUALS", .equals), ("==", .equals), ("NOT_EQUALS", .notEquals), ("!=", .notEquals), ("LESS_THAN", .lessThan),
      ("<", .lessThan), ("LESS_THAN_OR_EQUALS", .lessThanOrEquals), ("<=", .lessThanOrEquals),
      ("GREATER_THAN", .greaterThan), (">", .greaterThan), ("GREATER_THAN_OR_EQUALS", .greaterThanOrEquals),
      (">=", .greaterThanOrEquals), ("CONTAINS_ALL_TOKENS", .containsAllTokens),
      ("CONTAINS_ANY_TOKENS", .containsAnyTokens),
    ]
    for (word, comparator) in pairs {
      for text in ["f \(word) x", "  f   \(word)  x  "] {
        #expect(try FilterText.filter(text, toolOnly: true) == QueryFilter("f", comparator, .string("x")), "\(text)")
      }
    }
    let list = FieldValue.list(.string, [.string("x")])
    #expect(try FilterText.filter("f LIST_CONTAINS_ANY x", toolOnly: true) == QueryFilter("f", .listContainsAny, list))
    #expect(
      try FilterText.filter("f LIST_NOT_CONTAINS_ANY [\"x\"]", toolOnly: true)
        == QueryFilter("f", .notListContainsAny, list))
    #expect(try FilterText.filter("self CONTAINS_ANY_TOKENS a b").key == nil)
  }

  // [query-json-2]
  @Test("cktool's verbs accept only cktool's operators, and record query accepts all comparators of the service")
  func cktoolsVerbsAcceptOnlyCktoolsOperators() throws {
    for comparator in QueryComparator.allCases where comparator != .near {
      #expect(try FilterText.filter("f \(comparator.rawValue) x").comparator == comparator)
      #expect(try FilterText.filter("f \(comparator.rawValue.lowercased()) x").comparator == comparator)
    }
    #expect(
      refusal("f BEGINS_WITH x", toolOnly: true)?.hasPrefix("filter \"f BEGINS_WITH x\": there is no operator") == true)
    #expect(
      refusal("f LIKE x") == "filter \"f LIKE x\": there is no operator \"LIKE\" | see \"localcloud help filters\"")
    #expect(refusal("f EQUAL x")?.hasSuffix("did you mean \"EQUALS\"?") == true)
  }

  // [query-json-2]
  @Test("the type of a value is guessed as in cktool: double, integer, date, location, otherwise string")
  func typeOfAValueIsGuessed() throws {
    #expect(try value("6.123") == .double(6.123))
    #expect(try value("123") == .int64(123))
    #expect(try value("-5") == .int64(-5))
    #expect(try value("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(try value("40.712772,-74.006058") == .location(LocationValue(latitude: 40.712772, longitude: -74.006058)))
    #expect(try value("2021-01-01T00:00:00Z") == .timestamp(Moment(milliseconds: 1_609_459_200_000)))
    #expect(try value("2021-01-01T00:00:00+0400") == .timestamp(Moment(milliseconds: 1_609_444_800_000)))
    // Midnight in some time zone.
    guard case .timestamp(let midnight) = try value("2021-01-01") else {
      Issue.record("a date is a time")
      return
    }
    let seconds = Int64(midnight.secondsSince2001)
    #expect(abs(seconds - 631_152_000) <= 14 * 3600)
    #expect(seconds % 900 == 0)
    #expect(
      try value("2021-01-01T00:00:00.1234567Z") == .timestamp(Moment(secondsSince2001: 631_152_000.1234567)))
    for text in ["Ada", "Ada Lovelace", "nan", "inf", "0x10", "1,2,3", "100,200", "2021-13-01", "http://a", "a:b"] {
      #expect(try value(text) == .string(text), "\(text)")
    }
    #expect(try value("[\"a\",\"b\"]") == .list(.string, [.string("a"), .string("b")]))
    #expect(try value("[1,2]") == .list(.int64, [.int64(1), .int64(2)]))
  }

  @Test("a quoted value is a string, and a type name before a colon sets the type ([query-json-2])")
  func quotedValueIsAString() throws {
    #expect(try value("\"123\"") == .string("123"))
    #expect(try value("\"\"") == .string(""))
    #expect(try value(#""a \"b\" \\ c""#) == .string(#"a "b" \ c"#))
    #expect(try value("stringType:2021-01-01") == .string("2021-01-01"))
    #expect(try value("stringType:\"a \\\" b\"") == .string("a \" b"))
    #expect(try value("doubleType:3") == .double(3))
    #expect(try value("int64Type:3") == .int64(3))
    #expect(try value("timestampType:2021-01-01T00:00:00Z") == .timestamp(Moment(milliseconds: 1_609_459_200_000)))
    #expect(try value("bytesType:aGk=") == .bytes([0x68, 0x69]))
    #expect(try value("referenceType:ada") == .reference(ReferenceValue(record: "ada")))
    #expect(try value("locationType:1,2") == .location(LocationValue(latitude: 1, longitude: 2)))
    #expect(try value("stringListType:[\"a\"]") == .list(.string, [.string("a")]))
    #expect(
      try value("referenceListType:[{\"recordName\":\"a\"}]")
        == .list(.reference, [.reference(ReferenceValue(record: "a"))]))
    // An unknown type name: the value is a string with a colon.
    #expect(try value("fooType:3") == .string("fooType:3"))
  }

  @Test("= is the same as == on the command line, and cktool's verbs refuse it with a hint")
  func singleEqualsSign() throws {
    #expect(try FilterText.filter("name = \"y\"") == FilterText.filter("name == \"y\""))
    do {
      _ = try FilterText.filter("name = \"y\"", toolOnly: true)
      Issue.record("cktool has no =")
    } catch let failure as CommandFailure {
      #expect(failure.hint == "did you mean \"==\"?")
    }
  }

  @Test("an invalid filter is refused with a hint at the right form")
  func invalidFilterIsRefusedWithAHint() {
    #expect(
      refusal("pages") == "filter \"pages\": expected FIELD OPERATOR VALUE, such as \"pages > 100\"")
    #expect(
      refusal("pages>100") == "filter \"pages>100\": expected FIELD OPERATOR VALUE, such as \"pages > 100\""
        + " | spaces stand on both sides of the operator")
    for (sign, meant) in [("=>", ">="), ("=<", "<="), ("<>", "!=")] {
      #expect(refusal("f \(sign) 3")?.hasSuffix("\" | did you mean \"\(meant)\"?") == true, "\(sign)")
    }
    #expect(
      refusal("f ==") == "filter \"f ==\": the value is missing; the empty string is written \"\"")
    #expect(refusal("f == \"a") == "filter \"f == \"a\": the closing quote is missing")
    #expect(refusal("f == \"a\" b") == "filter \"f == \"a\" b\": something follows the closing quote")
    #expect(refusal("f == int64Type:x")?.contains("is not a whole number") == true)
    #expect(refusal("f == encryptedStringType:x")?.contains("encrypted fields can't be searched") == true)
    #expect(refusal("f == assetListType:[\"x\"]")?.contains("assets can't be searched for") == true)
    #expect(refusal("f == stringListType:a")?.contains("a list is written as JSON") == true)
    #expect(refusal("f IN [1,\"a\"]")?.contains("a list holds values of one type, not INT64 and STRING") == true)
    for comparator in ["IN", "NOT_IN", "LIST_CONTAINS_ANY", "NOT_LIST_CONTAINS_ALL"] {
      #expect(refusal("f \(comparator) [a,b]")?.contains("a list is written as JSON") == true, "\(comparator)")
      #expect(refusal("f \(comparator) \"[a,b]\"") == nil, "\(comparator)")
      #expect(refusal("f \(comparator) a") == nil, "\(comparator)")
    }
    #expect(refusal("f == [draft") == nil)
    #expect(refusal("f LIST_CONTAINS [x]") == nil)
    #expect(refusal("f == stringListType:null")?.contains("nothing is equal to null") == true)
  }

  @Test("NEAR takes kilometres after the location, and the query has metres")
  func nearTakesKilometresAfterTheLocation() throws {
    for text in ["at NEAR 48.2,16.37,10", "at NEAR locationType:48.2, 16.37, 10"] {
      #expect(
        try FilterText.filter(text, toolOnly: true)
          == QueryFilter(
            "at", .near, .location(LocationValue(latitude: 48.2, longitude: 16.37)), distance: 10_000), "\(text)")
    }
    for text in ["1,2", "1,2,x", "1,2,-1", "1,2,3,4", "91,0,1", "1,2,inf"] {
      #expect(refusal("at NEAR \(text)") != nil, "\(text)")
    }
  }

  @Test("the direction of a sort key follows a colon, a space, or is a word of its own")
  func directionOfASortKeyFollows() throws {
    #expect(try FilterText.sort("name") == QuerySort("name"))
    #expect(try FilterText.sort("name:desc") == QuerySort("name", ascending: false))
    #expect(try FilterText.sort("name:ASC") == QuerySort("name"))
    #expect(
      try FilterText.toolSorts(["name DESC", "rank", "DESC", "___recordID"])
        == [QuerySort("name", ascending: false), QuerySort("rank", ascending: false), QuerySort("___recordID")])
    for text in ["", ":desc", "name:down", "name DOWN"] {
      #expect(throws: CommandFailure.self, "\(text)") { try FilterText.sort(text) }
    }
  }
}
