import Foundation

/// Records the answers of CloudKit to scenarios, and compares with recordings.
@main
enum Parity {
  static let usage = """
    usage: parity record SCENARIO.json… --output DIR [OPTION…]
           parity check SCENARIO.json RECORDING.json [OPTION…]

    The program uses the CloudKit that it was built with.

      --container ID      the container; without it PARITY_CONTAINER
      --query-timeout SECONDS  the longest wait for the indexes of a query (0)

    "check" prints the values that differ, and ends with 1 if there are any. Other errors end with 2, wrong arguments
    with 64.
    """

  static func main() async {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try await run(options)
    } catch let error as UsageError {
      fail("\(error.text)\n\n\(usage)", status: 64)
    } catch {
      fail("parity: \(error)", status: 2)
    }
  }

  private static func run(_ options: Options) async throws {
    switch (options.verb, options.words.count) {
    case ("record", 1...):
      guard let folder = options.output else { throw UsageError("--output is missing") }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // All files are read before the first run.
      for scenario in try options.words.map({ try Scenario(file: URL(fileURLWithPath: $0)) }) {
        guard !isSkipped(scenario) else { continue }
        let recording = try await ScenarioRun.record(scenario, options)
        try recording.write(to: folder.appendingPathComponent("\(scenario.name).json"))
        print("recorded \(scenario.name)")
      }
    case ("check", 2):
      let scenario = try Scenario(file: URL(fileURLWithPath: options.words[0]))
      let recorded = try Recording(file: URL(fileURLWithPath: options.words[1]))
      guard !isSkipped(scenario) else { return }
      let differences = try await ScenarioRun.record(scenario, options).differences(from: recorded)
      for line in differences { print("\(scenario.name): \(line)") }
      if !differences.isEmpty { exit(1) }
    case ("act", 1):
      try await Worker.act(as: options.words[0], options: options)
    default:
      throw UsageError("\(options.verb) with \(options.words.count) files is no command")
    }
  }

  private static func isSkipped(_ scenario: Scenario) -> Bool {
    guard let reason = ScenarioRun.reasonToSkip(scenario) else { return false }
    FileHandle.standardError.write(Data("skipped \(scenario.name): \(reason)\n".utf8))
    return true
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}

/// The command line.
struct Options: Sendable {
  var verb = ""
  var words: [String] = []
  var output: URL?
  var container: String
  /// Seconds.
  var queryTimeout = 0

  init(
    _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UsageError) {
    var container = environment["PARITY_CONTAINER"]
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        words.append(word)
        continue
      }
      guard ["--output", "--container", "--query-timeout"].contains(word) else {
        throw UsageError("\(word) is no option")
      }
      guard let value = rest.popFirst() else { throw UsageError("\(word) has no value") }
      switch word {
      case "--output": output = URL(fileURLWithPath: value)
      case "--container": container = value
      default:
        guard let seconds = Int(value), (0...3600).contains(seconds) else {
          throw UsageError("\(value) is no number of seconds up to 3600")
        }
        queryTimeout = seconds
      }
    }
    guard !words.isEmpty else { throw UsageError("a command is missing") }
    guard let container, !container.isEmpty else { throw UsageError("--container or PARITY_CONTAINER is missing") }
    self.container = container
    verb = words.removeFirst()
  }
}

struct UsageError: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
