/// One comparison, or a few that belong together.
protocol Benchmark: SendableMetatype {
  /// What selects it on the command line.
  static var name: String { get }
  static var summary: String { get }

  static func run(_ options: Options) throws -> Findings
}

/// The command line is wrong.
struct UsageError: Error {
  static let exitStatus: Int32 = 64
  var message: String
}
