/// Arguments that `Stress attack` does not understand.
struct AttackUsage: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
