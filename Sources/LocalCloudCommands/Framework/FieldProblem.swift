/// What is wrong with one field, before it is known where the field came from.
struct FieldProblem: Error, Equatable {
  var reason: String
  var hint: String?

  init(_ reason: String, hint: String? = nil) {
    self.reason = reason
    self.hint = hint
  }

  func failure(_ place: String) -> CommandFailure { .usage("\(place): \(reason)", hint: hint) }
}
