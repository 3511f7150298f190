import LocalCloudPlatform
import LocalCloudStore
import Synchronization

/// Writes the results of a command to standard output, and all other messages to standard error.
///
/// Writing a result throws if standard output fails, and throws ``BrokenPipe`` if its reader has closed the pipe.
/// Messages on standard error never fail a command.
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

  /// Creates an output on the process's own streams.
  package static func process() -> Output {
    Output(
      standardOutput: OutputSink(.output), standardError: OutputSink(.error),
      environment: HostProcess.environment)
  }

  // MARK: Results

  /// Writes bytes unchanged, for example those of an exported file.
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

  /// The number of columns a table may take; nil if standard output is not a terminal and nothing may be cut.
  package var tableWidth: Int? { standardOutput.isTerminal ? standardOutput.width() : nil }

  /// The number of columns to wrap prose at.
  package var proseWidth: Int { min(max(standardOutput.width(), 40), 100) }

  package var isTerminal: Bool { standardOutput.isTerminal && standardError.isTerminal }

  // MARK: Messages

  /// Writes a notice for the user. `--quiet` suppresses it. JSON formats suppress it without `--verbose`, because tools
  /// read their standard error.
  package func notice(_ text: StyledText) {
    if !settings.isQuiet && (!settings.format.isJSON || settings.verbosity > 0) { say(text) }
  }

  package func warning(_ text: StyledText) {
    notice("\("warning:", .yellow) " + text)
  }

  package func hint(_ text: StyledText) {
    notice("\("hint:", .cyan) " + text)
  }

  /// Replaces the last progress line. Only a terminal shows it. An empty text clears the line.
  package func progress(_ text: StyledText) {
    if standardError.isTerminal && !settings.isQuiet && !settings.format.isJSON {
      say("\r" + text + "\u{1B}[K", terminator: "")
    }
  }

  /// Writes a line to standard error regardless of the settings.
  package func say(_ text: StyledText, terminator: String = "\n") {
    try? standardError.send(Array((text.rendered(colored: isColored(standardError)) + terminator).utf8))
  }

  private func isColored(_ stream: OutputSink) -> Bool {
    settings.color.isOn(isTerminal: stream.isTerminal, environment: environment)
  }
}
