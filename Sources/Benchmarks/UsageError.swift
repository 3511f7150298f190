/// The command line is wrong.
struct UsageError: Error {
  static let exitStatus: Int32 = 64
  var message: String
}
