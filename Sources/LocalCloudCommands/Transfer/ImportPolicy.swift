/// What becomes of a record that is there already and differs from its line.
enum ImportPolicy: String, CaseIterable, Sendable {
  /// The line's fields are set; others stay.
  case update
  /// The record becomes what the line says; other fields go.
  case replace
  /// It stays as it is.
  case skip
  /// The import stops there.
  case fail
}
