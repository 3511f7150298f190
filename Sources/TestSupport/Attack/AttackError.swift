/// An attack that can't be made.
struct AttackError: Error, CustomStringConvertible {
  var text: String

  var description: String { text }
}
