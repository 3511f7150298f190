/// Formats to mutate. Together they contain every part of the language.
package enum PredicateSamples {
  package static let formats = [
    "name == 'Alice'", "age >= 18 AND age < 65 && NOT retired = YES", "a <> 1 OR b =< 2 || c => 3", "TRUEPREDICATE",
    "NOT (a == 1 AND (b == 2 OR NOT c == nil))", "name BEGINSWITH[cd] \"J\\u00e9\\\"r\"", "name LIKE[c] '*a?b\\\\*'",
    "name MATCHES '(a|b)*c{2,3}[^x-z]\\\\d+'", "size.#size BETWEEN {1, 0x1F}", "x IN {1, 2.5, 'a', nil, {}}",
    "ANY tags == 'swift'", "ALL scores >= 50.5e-1", "NONE items.price > $limit", "SOME a.b.c ENDSWITH[n] 'z'",
    "'sub' IN name", "list[FIRST] == list[LAST] AND list[SIZE] > 2 AND list[a + 1] != list[0]",
    "SUBQUERY(items, $x, $x.price * 2 > 10 AND ANY $x.tags IN {'a'}).@count > 0", "FUNCTION(a, 'b:c:', 1, {}) == 2",
    "TERNARY(a > b, a, b) == max:({a, b})", "CAST(1.5, 'NSDate') < now()", "CAST(x, 'NSNumber') == 1",
    "distanceToLocation:fromLocation:(place, CAST({48.1, 11.5}, 'CLLocation')) < 1000",
    "a + b * c ** -d - (e - f) / ~g & 255 | 1 ^ 2 << 3 >> 4 == 0",
    "items.@sum.price > 10 && items.@distinctUnionOfObjects.name.@count == 2",
    "%K == %@ AND %K.x CONTAINS %@ AND n == %d AND r > %f", "self CONTAINS 'words'",
    "allTokens TOKENMATCHES[cdl] 'a b'",
    "ALL tokenize('a b', 'Cdl') IN allTokens", "kind UTI-CONFORMS-TO 'public.text' OR kind UTI-EQUALS 'public.png'",
    "$v := a + 1 == 2", "ANYKEY == 'x'", "FETCH(r, c, NO) == 1", "SELF == nil AND SELF.a.b == SELF",
    "\u{e9}t\u{e9} == '\u{1F600}'",
    "CAST({\"recordName\", \"a\"}, \"CKReference\") == r", "CAST(\"AQID\", \"NSData\") == d",
    "stddev({1, 2}) == median(1, 2, 3)",
    "a == -9223372036854775808 AND b == 18446744073709551615", "modulus:by:(a, 7) == objectFrom:withIndex:(list, 2)",
  ]

  /// Pieces to repeat, which could exhaust a parser's stack.
  package static let repeated = [
    "(", "NOT ", "!", "{", "-", "~", "a.", "a[", "a + ", "a AND ", "a == 1 AND ", "a == 1 OR NOT ", "SUBQUERY(a, $x, ",
    "TERNARY(a == 1, ", "FUNCTION(a, 'b', ", "CAST({", "max(", "$x := ", "ANY ", "a ** ", "1, ", "'a", "a:", "[FIRST]",
    ")", " ",
    "%@ == ", "\\u0061", "@a", "#", "a == ", "a IN {", "NONE a == (", "(a + ", "0x",
  ]
}
