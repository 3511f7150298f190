/// What a person can ask the program for.
protocol StressCommand {
  /// Whether all was well.
  func run() throws -> Bool
}
