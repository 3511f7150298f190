import CloudStore
import Platform
import Synchronization

/// Standard output carries the result and nothing else; everything said besides goes to standard error.
///
/// Writing a result throws where standard output fails; ``BrokenPipe`` where its reader went away. Talk on standard
/// error never fails a command.
package final class Output: Sendable {
  private let standardOutput: OutputSink
  private let standardError: OutputSink
  private let environment: @Sendable (String) -> String?
  private let currentSettings = Mutex(OutputSettings())

  package var settings: OutputSettings {
    get { currentSettings.withLock { $0 } }
    set { currentSettings.withLock { $0 = newValue } }
  }

  package init(
    standardOutput: OutputSink, standardError: OutputSink,
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.environment = environment
  }

  /// The process's own streams.
  package static func process() -> Output {
    Output(
      standardOutput: OutputSink(.output), standardError: OutputSink(.error),
      environment: HostProcess.environment)
  }

  // MARK: Results

  /// Bytes as they are: exported files and the like.
  package func write(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    do throws(SystemError) {
      try standardOutput.send(bytes)
    } catch {
      if error.isBrokenPipe { throw BrokenPipe() }
      throw CommandFailure(.storage, code: "storage", "cannot write standard output: \(error.reason)")
    }
  }

  package func write(_ text: StyledText) throws {
    try write(Array(text.rendered(colored: isColored(standardOutput)).utf8))
  }

  /// Columns that a table may take; nil where nobody looks at it, and nothing may be cut.
  package var tableWidth: Int? { standardOutput.isTerminal ? standardOutput.width() : nil }

  /// Columns to wrap prose at.
  package var proseWidth: Int { min(max(standardOutput.width(), 40), 100) }

  package var isTerminal: Bool { standardOutput.isTerminal && standardError.isTerminal }

  // MARK: Talk

  /// What a person may want to know; silent with `--quiet`, and with `--json`, whose standard error is for tools.
  package func notice(_ text: StyledText) {
    if !settings.isQuiet && (!settings.format.isJSON || settings.verbosity > 0) { say(text) }
  }

  package func warning(_ text: StyledText) {
    notice("\("warning:", .yellow) " + text)
  }

  package func hint(_ text: StyledText) {
    notice("\("hint:", .cyan) " + text)
  }

  /// Replaces the last line of progress; only a person at a terminal sees it. An empty text ends it.
  package func progress(_ text: StyledText) {
    if standardError.isTerminal && !settings.isQuiet && !settings.format.isJSON {
      say("\r" + text + "\u{1B}[K", terminator: "")
    }
  }

  /// A line on standard error, whatever the settings.
  package func say(_ text: StyledText, terminator: String = "\n") {
    try? standardError.send(Array((text.rendered(colored: isColored(standardError)) + terminator).utf8))
  }

  private func isColored(_ stream: OutputSink) -> Bool {
    settings.color.isOn(isTerminal: stream.isTerminal, environment: environment)
  }
}
