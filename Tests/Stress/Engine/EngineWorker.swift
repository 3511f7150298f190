import CloudKit
import LocalCloudPlatform
import TestSupport

/// A device of ``EngineRun``: a program with an ``EngineApp``. It reads requests from standard input and writes
/// answers, each as a line of JSON. The environment determines its device.
struct EngineWorker {
  private let app: EngineApp

  /// Parses the file of the app, whether its engines synchronize automatically, and accounts with the record names of
  /// their users.
  init?(arguments: [String]) async throws {
    guard arguments.count > 2 else { return nil }
    var users: [String: String] = [:]
    for argument in arguments.dropFirst(2) {
      let parts = argument.split(separator: "=")
      guard parts.count == 2 else { return nil }
      users[String(parts[0])] = String(parts[1])
    }
    app = try EngineApp(URL(fileURLWithPath: arguments[0]), isAutomatic: arguments[1] == "automatic", users: users)
    await app.start()
  }

  func run() async throws {
    let app = app
    try await AnsweringProcess.run { (command: EngineCommand) in await app.answer(command) }
  }
}
