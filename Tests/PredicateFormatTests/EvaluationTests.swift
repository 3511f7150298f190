import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import Testing

/// A predicate format with its expected kind of error and a part of the message.
private struct Refusal: Sendable {
  var format: String
  var kind: PredicateEvaluationError.Kind
  var words: String
}

@Suite("evaluation of predicates")
struct EvaluationTests {
  private static let subject = PredicateValue.dictionary([
    "name": .string("Ärger"), "word": .string("hello world"), "empty": .string(""), "one": .integer(1),
    "two": .integer(2), "half": .double(0.5), "big": .integer(.max), "bigger": .double(0x1p63), "yes": .integer(1),
    "date": .date(100), "data": .data([1, 2]), "list": .list([.integer(1), .integer(2), .integer(3)]),
    "words": .list([.string("Swift"), .string("Cloud")]), "void": .list([]), "nothing": .null,
    "person": .dictionary(["name": .string("Ann"), "age": .integer(30)]),
    "people": .list([
      .dictionary(["name": .string("Ann"), "age": .integer(30), "tags": .list([.string("x")])]),
      .dictionary(["name": .string("Bob"), "age": .integer(40), "tags": .list([.string("x"), .string("y")])]),
      .dictionary(["name": .string("Cid")]),
    ]),
    "munich": .location(latitude: 48.137, longitude: 11.575), "berlin": .location(latitude: 52.52, longitude: 13.405),
    "path": .string("a*b?c"), "lines": .string("a\nb"),
    "reference": .object(PredicateObject(type: "CKReference", parts: ["recordName": .string("r")])),
  ])

  private func matches(_ format: String) throws -> Bool {
    var evaluator = PredicateEvaluator(
      try PredicateTree(format: format), variables: ["x": .integer(1), "list": .list([.integer(1)])], now: 1000,
      matching: TextPattern.matching)
    return try evaluator.matches(Self.subject)
  }

  private static let truths = [
    // Constants and compounds.
    "TRUEPREDICATE", "NOT FALSEPREDICATE", "TRUEPREDICATE OR one / 0 == 1", "NOT (FALSEPREDICATE AND one / 0 == 1)",
    "one == 1 AND two == 2", "one == 2 OR two == 2", "one == 1 OR one == 2 AND two == 3",
    // Numbers.
    "one == 1.0", "half == 0.5", "one < two", "one <= 1", "two > half", "two >= 2.0", "one != two", "yes == YES",
    "big == 9223372036854775807", "big < bigger", "big != bigger", "bigger > big", "bigger == 9223372036854775808",
    "one != '1'", "NOT one == '1'", "0.1 + 0.2 != 0.3", "one < CAST('inf', 'NSNumber')",
    "CAST('nan', 'NSNumber') != CAST('nan', 'NSNumber')", "NOT CAST('nan', 'NSNumber') < 1",
    // Nothing.
    "nothing == nil", "missing == nil", "missing.deeper == NULL", "one != nil", "NOT nothing == 1", "nothing != 1",
    "NOT nothing < 1", "NOT nothing > 1", "NOT nothing <= nil", "NOT nothing BEGINSWITH 'a'", "NOT nothing LIKE '*'",
    "NOT nothing MATCHES '.*'", "NOT nothing CONTAINS 1", "NOT 1 IN nothing", "NOT nothing BETWEEN {1, 2}",
    "NOT nothing IN {1}", "nothing IN {nil}", "NOT ANY nothing == 1", "ALL nothing == 1", "nothing + 1 == nil",
    "nothing[0] == nil", "nothing.@count == nil", "SUBQUERY(nothing, $y, TRUEPREDICATE) == nil",
    // Strings.
    "word == 'hello world'", "word == \"hello world\"", "word != 'Hello World'", "word ==[c] 'HELLO World'",
    "name == 'A\u{308}rger'", "name !=[c] 'arger'", "name ==[d] 'Arger'", "name ==[cd] 'ARGER'",
    "name !=[n] 'A\u{308}rger'", "name ==[n] 'Ärger'", "word < 'i'", "word > 'Hello'", "word <[c] 'HELLO X'",
    "word BEGINSWITH 'hello'", "NOT word BEGINSWITH 'Hello'", "word BEGINSWITH[c] 'HELLO'", "name BEGINSWITH[cd] 'ar'",
    "word ENDSWITH 'world'", "word ENDSWITH[c] 'WORLD'", "word CONTAINS 'lo wo'", "word CONTAINS ''", "'' == empty",
    "empty BEGINSWITH ''", "NOT word CONTAINS 'LO'", "word CONTAINS[c] 'LO WO'", "name CONTAINS[d] 'Arg'",
    "NOT name CONTAINS 'A'", "'world' IN word", "'WORLD' IN[c] word", "'straße' ==[c] 'STRASSE'", "'Σς' ==[c] 'σσ'",
    "'résumé' ==[d] 'resume'", "'\u{1EBF}' ==[d] 'e'", "NOT 'ł' ==[d] 'l'", "NOT 'が' ==[d] 'か'", "'й' ==[d] 'и'",
    "word.length == 11", "word.uppercaseString == 'HELLO WORLD'",
    // Wildcards.
    "word LIKE 'hello*'", "word LIKE '*world'", "word LIKE '*o*o*'", "word LIKE 'h?llo w?rld'", "word LIKE '*'",
    "NOT word LIKE 'hello'", "NOT word LIKE '?'", "empty LIKE ''", "empty LIKE '*'", "NOT empty LIKE '?'",
    "word LIKE[c] 'HELLO*'", "name LIKE[d] 'Arg?r'", "path LIKE 'a\\\\*b\\\\?c'", "NOT word LIKE 'hello\\\\*'",
    "word LIKE '**hello***world**'", "lines LIKE 'a?b'", "'\u{1F600}x' LIKE '?x'", "'a\\\\' LIKE 'a\\\\'",
    // Regular expressions.
    "word MATCHES 'hello.*'", "NOT word MATCHES 'hello'", "word MATCHES '[a-z]+ [a-z]+'",
    "word MATCHES[c] 'HELLO WORLD'",
    "word MATCHES '(hello|goodbye) (world|moon)'", "word MATCHES 'hel{2}o w.{4}'", "word MATCHES '\\\\w+\\\\s\\\\w+'",
    "name MATCHES[d] 'Arger'", "name MATCHES '\\\\p{Lu}\\\\p{Ll}+'", "NOT lines MATCHES 'a.b'",
    "lines MATCHES '(?s)a.b'",
    "word MATCHES '^hello world$'", "word MATCHES '(?i)HELLO (?-i)world'", "word MATCHES 'hello\\\\b.\\\\bworld'",
    "'a-b' MATCHES '[a\\\\-b]+'", "'a]b' MATCHES '[]ab]+'", "'aab' MATCHES 'a*?b'", "'\u{E9}' MATCHES '\\\\u00E9'",
    "'a.b' MATCHES '\\\\Qa.b\\\\E'", "'ab12' MATCHES '[[a-z][0-9]]+'", "'5' MATCHES '[^a-z]'", "'' MATCHES '(a|)*'",
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' MATCHES '(a+)+b'",
    "'x\n' MATCHES 'x$\\\\n'",
    // The pattern ends in a comment or in a quotation.
    "'a' MATCHES '(?x)a # note'", "'ab' MATCHES '(?x)a|ab # )'", "NOT 'a\n' MATCHES '(?x)a # note'",
    "'a.b' MATCHES '\\\\Qa.b'", "NOT 'a.b\n' MATCHES '\\\\Qa.b'", "'a#' MATCHES 'a#'",
    // Counted repetitions take no space for each repetition.
    "NOT word MATCHES 'a{30000}'", "NOT word MATCHES '((a{200}){200}){200}'",
    "NOT word MATCHES '(((((a|b){9}){9}){9}){9}){9}'", "'aaaaaaaa' MATCHES '((a{2}){2}){2}'",
    "'aa' MATCHES '(a)\\\\1'", "'ab' MATCHES '(?=a)ab'", "'ab' MATCHES 'a(?<=a)b'", "'aab' MATCHES 'a++b'",
    "'someone@example.org' MATCHES '[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\\\.[A-Za-z]{2,4}'",
    // Dates and data.
    "date == CAST(100, 'NSDate')", "date < now()", "date > CAST(99.5, 'NSDate')", "now() - date == 900",
    "date + 900 == now()", "now() - 900 == date", "data == CAST('AQI=', 'NSData')", "data.length == 2",
    "date BETWEEN {CAST(0, 'NSDate'), now()}", "CAST(date, 'NSNumber') == 100",
    // Collections.
    "one IN {1, 2}", "NOT 3 IN {1, 2}", "1.0 IN list", "list CONTAINS 2", "NOT list CONTAINS 4", "'Swift' IN words",
    "'swift' IN[c] words", "NOT 'swift' IN words", "words CONTAINS[c] 'CLOUD'", "NOT 'Swi' IN words", "NOT 1 IN void",
    "list == {1, 2, 3}", "list == {1.0, 2, 3}", "list != {1, 2}", "void == {}", "one BETWEEN {1, 2}",
    "two BETWEEN {1, 2}", "NOT two BETWEEN {3, 4}", "two BETWEEN {list[FIRST], list[LAST]}",
    "'b' BETWEEN {'a', 'c'}", "ANY list == 2", "NOT ANY list == 4", "ALL list > 0", "NOT ALL list > 1",
    "NONE list > 3", "NOT NONE list == 1", "NOT ANY void == 1", "ALL void == 1", "NONE void == 1",
    "ANY list IN {3, 4}", "ALL words BEGINSWITH[c] 's' OR ANY words BEGINSWITH 'C'", "ANY {1, 2} == one",
    "ANY people.age > 35", "NOT ALL people.age > 35", "ANY people.name LIKE 'A*'", "'Ann' IN people.name",
    "list[0] == 1", "list[FIRST] == 1", "list[LAST] == 3", "list[SIZE] == 3", "void[FIRST] == nil", "list[one] == 2",
    "person['name'] == 'Ann'", "people[1].name == 'Bob'", "people.name == {'Ann', 'Bob', 'Cid'}",
    "people.age == {30, 40, nil}", "ANY people.tags CONTAINS 'y'", "'Ann' IN person", "person CONTAINS 30",
    "reference == CAST({'recordName', 'r'}, 'CKReference')", "reference != CAST({'recordName', 's'}, 'CKReference')",
    "reference != CAST({'recordName', 'r'}, 'Other')", "reference.recordName == 'r'",
    // Key paths and collection operators.
    "person.name == 'Ann'", "SELF.person.age == 30", "one.self == 1", "people.@count == 3", "void.@count == 0",
    "people.@sum.age == 70", "people.@avg.age == 35", "people.@min.age == 30", "people.@max.age == 40",
    "list.@sum.self == 6", "void.@sum.self == 0", "void.@max.self == nil",
    "people.@unionOfObjects.name == {'Ann', 'Bob', 'Cid'}",
    "people.@distinctUnionOfArrays.tags == {'x', 'y'}", "people.@unionOfArrays.tags == {'x', 'x', 'y'}",
    "people.@sum.tags.@count == 3", "{1, 1.0, 2}.@distinctUnionOfObjects.self == {1, 2}",
    "SUBQUERY(people, $p, $p.age > 35).@count == 1", "SUBQUERY(people, $p, $p.age > $x).@count == 2",
    "SUBQUERY(people, $p, ANY $p.tags == 'y')[FIRST].name == 'Bob'",
    "SUBQUERY(list, $x, $x == 2)[SIZE] == 1 AND $x == 1",
    "SUBQUERY(people, $p, SUBQUERY($p.tags, $t, $t == 'y').@count == 1).@count == 1", "one IN $list",
    // Arithmetic.
    "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "7 / 2 == 3", "7.0 / 2 == 3.5", "-7 / 2 == -3", "2 ** 10 == 1024",
    "2 ** -1 == 0.5", "2 ** 0.5 > 1.41", "-one == -1", "-(one + 1) == -2", "10 - 2 - 3 == 5", "100 / 10 / 5 == 2",
    "6 & 3 == 2", "6 | 3 == 7", "6 ^ 3 == 5", "~0 == -1", "1 << 4 == 16", "256 >> 4 == 16",
    "big + 1 == 9223372036854775808",
    "1.0 / 0 == CAST('inf', 'NSNumber')", "(one | two) & 2 == 2", "modulus:by:(7, 3) == 1",
    "modulus:by:(7.5, 2) == 1.5",
    "9223372036854775807 * 2 > 1e19", "-(-9223372036854775808) == 9223372036854775808",
    // Functions.
    "sum(list) == 6", "sum(1, 2.5) == 3.5", "count(list) == 3", "count(nothing) == 0", "min(list) == 1",
    "max(words) == 'Swift'", "average(list) == 2", "median({1, 3, 2, 10}) == 2.5", "median({5, 1, 3}) == 3",
    "mode({1, 2, 2, 3, 3}) == {2, 3}", "stddev({2, 4, 4, 4, 5, 5, 7, 9}) == 2", "sqrt(16) == 4", "log(1000) == 3",
    "ln(1) == 0", "exp(0) == 1", "floor(-1.5) == -2", "ceiling(1.2) == 2", "abs(-3) == 3", "trunc(-1.7) == -1",
    "random() < 1", "random(10) BETWEEN {0, 9}", "uppercase('ab') == 'AB'", "lowercase('AB') == 'ab'",
    "canonical:('Zoë ÉTÉ') == 'zoe ete'",
    "noindex:(one) == 1", "CAST('12', 'NSNumber') == 12", "CAST('1.5', 'NSNumber') == 1.5",
    "CAST(1, 'NSString') == '1'",
    "CAST(one + 99, 'NSDate') == date", "TERNARY(one == 1, 'a', 'b') == 'a'", "TERNARY(one == 2, one / 0, 5) == 5",
    "tokenize:using:('a B  c', 'c') == {'a', 'b', 'c'}", "word TOKENMATCHES[c] 'WORLD peace'",
    "NOT word TOKENMATCHES 'wor'", "words TOKENMATCHES[c] 'cloud'",
    "ALL tokenize('hello world', 'Cdl') IN tokenize(word, 'cd')",
    "distanceToLocation:fromLocation:(munich, berlin) BETWEEN {503000, 505000}",
    "distanceToLocation:fromLocation:(munich, munich) == 0", "munich == munich", "munich != berlin",
    "distanceToLocation:fromLocation:(munich, CAST({48.137, 11.575}, 'CLLocation')) < 1",
    "'PUBLIC.png' UTI-EQUALS 'public.PNG'",
  ]

  @Test("each of these predicates is true, and its negation false", arguments: truths)
  func eachOfThesePredicatesIsTrue(_ format: String) throws {
    #expect(try matches(format), "\(format)")
    #expect(try !matches("NOT (\(format))"), "\(format)")
    // The printed form has the same meaning.
    #expect(try matches(PredicateTree(format: format).format), "\(format)")
  }

  private static let refusals: [(format: String, kind: PredicateEvaluationError.Kind, words: String)] = [
    ("one < 'a'", .type, "1 and \"a\" can't be compared with <"), ("word > 1", .type, "can't be compared with >"),
    ("date < 1", .type, "can't be compared"), ("data < data", .type, "can't be compared"),
    ("list < list", .type, "a list of 3 and a list of 3 can't be compared with <"),
    ("word BETWEEN {1, 2}", .type, "can't be compared with BETWEEN"), ("munich > berlin", .type, "can't be compared"),
    (
      "one BEGINSWITH 'a'", .type,
      "Can't do a substring operation with something that isn't a string (lhs = 1 rhs = \"a\")"
    ),
    ("word LIKE 1", .type, "isn't a string"), ("word MATCHES 1", .type, "isn't a string"),
    ("word CONTAINS 1", .type, "isn't a string"), ("1 IN word", .type, "isn't a string"),
    ("one CONTAINS 1", .collection, "Can't use in/contains operator with collection 1 (not a collection)"),
    ("1 IN 1", .collection, "not a collection"),
    (
      "ANY one == 1", .collection,
      "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet."
    ),
    ("ALL word == 'a'", .collection, "must be either an NSArray"), ("one BETWEEN {1}", .collection, "two bounds"),
    ("one BETWEEN 1", .collection, "two bounds"), ("one BETWEEN {1, 2, 3}", .collection, "two bounds"),
    ("$unknown == 1", .variable, "Can't get value for 'unknown' in bindings"),
    ("one.key == 1", .key, "1 has no value for the key \"key\""), ("word.key == 1", .key, "\"key\""),
    ("list[3] == 1", .index, "beyond the bounds of a list of 3"), ("list[-1] == 1", .index, "beyond the bounds"),
    ("list['a'] == 1", .index, "no place"), ("one[0] == 1", .index, "no place"),
    ("one[FIRST] == 1", .collection, "Only a collection"),
    ("word.@count == 1", .collection, "@count needs a collection"),
    ("list.@median.self == 1", .unsupported, "no collection operator @median"),
    ("SUBQUERY(one, $y, TRUEPREDICATE) == 1", .collection, "SUBQUERY needs"),
    ("one / 0 == 1", .divisionByZero, "divided by zero"), ("modulus:by:(1, 0) == 1", .divisionByZero, "zero"),
    ("word + 1 == 1", .type, "add:to: does not take \"hello world\", 1"), ("date + date == 1", .type, "add:to:"),
    ("date * 2 == 1", .type, "multiply:by:"), ("1.5 & 1 == 1", .type, "bitwiseAnd:with:"),
    ("-word == 1", .type, "negate:"),
    ("sum(words) == 1", .type, "sum:"), ("sum(one) == 1", .type, "sum:"),
    ("max({1, 'a'}) == 1", .type, "compared with max:"),
    ("uppercase(1) == 'A'", .type, "uppercase:"),
    ("CAST('x', 'NSNumber') == 1", .type, "can't be cast to \"NSNumber\""),
    ("CAST(one, 'Unknown') == 1", .type, "can't be cast"),
    ("distanceToLocation:fromLocation:(one, munich) < 1", .type, "distance"),
    ("FUNCTION(one, 'description') == '1'", .unsupported, "no method \"description\""),
    ("ANYKEY == 1", .unsupported, "ANYKEY"),
    ("FETCH(one, two, NO) == 1", .unsupported, "managed object context"), ("$y := 1 == 1", .unsupported, "assigned"),
    ("word UTI-CONFORMS-TO 'public.text'", .unsupported, "list of types"),
    ("word MATCHES '('", .pattern, "is no regular expression"), ("word MATCHES 'a)'", .pattern, "a) is no"),
    ("word MATCHES 'a)|(b'", .pattern, "a)|(b is no"), ("word MATCHES '*'", .pattern, "is no"),
    ("word MATCHES 'a**'", .pattern, "is no"), ("word MATCHES '[a'", .pattern, "is no"),
    ("word MATCHES '[z-a]'", .pattern, "is no"), ("word MATCHES 'a{2,1}'", .pattern, "is no"),
    ("word MATCHES '\\\\p{Foo}'", .pattern, "is no"),
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac' MATCHES '(a+)+b'", .limit, "more than 5000000 steps"),
  ]

  @Test("evaluating each of these predicates is an error with a message", arguments: refusals.map(Refusal.init))
  fileprivate func evaluatingEachOfThesePredicates(_ row: Refusal) throws {
    let error = #expect(throws: PredicateEvaluationError.self, "\(row.format)") { try matches(row.format) }
    #expect(error?.kind == row.kind, "\(row.format): \(error?.message ?? "")")
    #expect(error?.message.contains(row.words) == true, "\(row.format): \(error?.message ?? "")")
  }

  @Test("evaluation beyond the step limit is an error: nested subqueries, hostile patterns")
  func evaluationBeyondTheStepLimit() throws {
    let numbers = PredicateValue.list((0..<2000).map { .integer($0) })
    func outcome(_ format: String, _ subject: PredicateValue) throws -> PredicateEvaluationError.Kind? {
      var evaluator = PredicateEvaluator(try PredicateTree(format: format), matching: TextPattern.matching)
      evaluator.maximumSteps = 300_000
      do throws(PredicateEvaluationError) { _ = try evaluator.matches(subject) } catch { return error.kind }
      return nil
    }
    #expect(
      try outcome(
        "SUBQUERY(SELF, $a, SUBQUERY(SELF, $b, SUBQUERY(SELF, $c, $c == $a + $b).@count > 0).@count > 0).@count > 0",
        numbers) == .limit)
    let text = PredicateValue.string(String(repeating: "a", count: 30_000))
    #expect(try outcome("SELF MATCHES '(a*){1000}b'", text) == .limit)
    // This search takes fewer steps than the engine's own limit.
    #expect(try outcome("SELF MATCHES '(a+)+b'", .string(String(repeating: "a", count: 19) + "c")) == .limit)
    #expect(try outcome("SELF LIKE '*\(String(repeating: "a", count: 15_000))b'", text) == .limit)
    // A text that is only long does not exceed the limit.
    #expect(try outcome("SELF CONTAINS '\(String(repeating: "a", count: 15_000))b'", text) == nil)
    let deep = (0..<1000).reduce(PredicateValue.integer(1)) { value, _ in .list([value]) }
    #expect(try outcome("SELF == SELF", deep) == .limit)
    #expect(try outcome("SELF.a == 1", deep) == .limit)
  }

  @Test("large counted repetitions have a result")
  func largeCountedRepetitionsHaveAResult() throws {
    let rows = [
      ("a{30000}", 30_000, true), ("a{30000}", 29_999, false), ("((a{200}){200}){200}", 1000, false),
      ("((a{20}){20}){20}", 8000, true), ("(((((a|b){9}){9}){9}){9}){9}", 1000, false),
      ("(((a|b){9}){9}){9}", 729, true),
    ]
    for (pattern, count, isMatch) in rows {
      #expect(try TextPattern(pattern).matches(String(repeating: "a", count: count)) == isMatch, "\(pattern) \(count)")
    }
  }

  @Test("a search that takes more memory than the engine has is an error, not a mismatch")
  func searchThatTakesMoreMemory() throws {
    let pattern = try TextPattern("(a|b)*")
    #expect(try pattern.matches(String(repeating: "ab", count: 100)))
    let error = #expect(throws: PredicateEvaluationError.self) {
      try pattern.matches(String(repeating: "a", count: 1_000_000))
    }
    #expect(error?.kind == .limit)
  }

  @Test("variables are substituted before or during the evaluation; a subquery has its own ones")
  func variablesAreSubstitutedBeforeOrDuring() throws {
    let tree = try PredicateTree(format: "$a == one AND SUBQUERY(list, $b, $b == $a).@count == 1 AND {$a, 2} == {1, 2}")
    let substituted = tree.substituting(["a": .integer(1), "b": .integer(7)])
    #expect(
      try substituted.format == "1 == one AND SUBQUERY(list, $b, $b == 1).@count == 1 AND {1, 2} == {1, 2}")
    var evaluator = PredicateEvaluator(substituted)
    #expect(try evaluator.matches(Self.subject))
    var other = PredicateEvaluator(tree, variables: ["a": .integer(1)])
    #expect(try other.matches(Self.subject))
  }

  @Test("objects are evaluated by their keys; an unknown key is an error")
  func objectsAreEvaluatedByTheirKeys() throws {
    let object = PredicateValue.object(
      PredicateObject(type: "Person", parts: ["id": .integer(1)]) { $0 == "name" ? .string("Ann") : nil })
    var evaluator = PredicateEvaluator(try PredicateTree(format: "name == 'Ann' AND SELF.name BEGINSWITH 'A'"))
    #expect(try evaluator.matches(object))
    var other = PredicateEvaluator(try PredicateTree(format: "age == 1"))
    let error = #expect(throws: PredicateEvaluationError.self) { try other.matches(object) }
    #expect(error?.kind == .key)
    #expect(error?.message == "Person has no value for the key \"age\"")
  }

  @Test("now is the same moment during one evaluation")
  func now() throws {
    var evaluator = PredicateEvaluator(
      try PredicateTree(format: "now() == now() AND now() > CAST(700000000, 'NSDate')"))
    #expect(try evaluator.matches(.null))
  }
}
