/// What was measured did not do what it was measured for.
struct UnexpectedResult: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}
