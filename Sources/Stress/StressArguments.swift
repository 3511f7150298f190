/// What is left of a command's arguments.
struct StressArguments {
  private var rest: ArraySlice<String>

  init(_ arguments: [String]) { rest = arguments[...] }

  mutating func next() -> String? { rest.popFirst() }

  /// An option's value.
  mutating func number(_ option: String) throws(StressUsage) -> UInt64 {
    guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { throw StressUsage("\(option) wants a number") }
    return number
  }

  /// The first argument, where it is a number.
  mutating func leadingNumber() -> Int? {
    guard let number = rest.first.flatMap({ Int($0) }), number >= 0 else { return nil }
    rest.removeFirst()
    return number
  }
}

/// What a person can ask the program for.
protocol StressCommand {
  /// Whether all was well.
  func run() throws -> Bool
}

/// Arguments that mean nothing.
struct StressUsage: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
