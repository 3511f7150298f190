/// Arguments that mean nothing.
struct StressUsage: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
