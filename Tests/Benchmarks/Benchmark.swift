/// One comparison, or a few related ones.
protocol Benchmark: SendableMetatype {
  /// The name that selects the benchmark on the command line.
  static var name: String { get }
  static var summary: String { get }

  static func run(_ options: Options) throws -> Findings
}

/// Thrown for a wrong command line.
struct UsageError: Error {
  static let exitStatus: Int32 = 64
  var message: String
}
