import LocalCloudCommands
import LocalCloudPlatform
import Synchronization

/// One run of the tool within the test's own process.
struct ToolRun {
  var code: ExitCode
  var output: String
  var error: String

  private final class Buffer: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
  }

  init(
    _ arguments: String..., environment: [String: String] = [:], input: String = "", isTerminal: Bool = false,
    failWith code: Int32? = nil
  ) {
    self.init(words: arguments, environment: environment, input: input, isTerminal: isTerminal, failWith: code)
  }

  /// `answers` are typed one after another; Ctrl-D follows the last one. `onMessage` is called with each text on
  /// standard error, on the thread of the command.
  init(
    words: [String], environment: [String: String] = [:], input: String = "", answers: [TerminalLine] = [],
    isTerminal: Bool = false, failWith code: Int32? = nil, whenWritten: @escaping @Sendable () -> Void = {},
    registry: CommandRegistry = SampleCommands.registry, onMessage: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let (output, error) = (Buffer(), Buffer())
    let streams = Output(
      standardOutput: OutputSink(isTerminal: isTerminal) { bytes throws(SystemError) in
        if let code { throw SystemError(code: code, call: "write", path: "standard output") }
        output.append(bytes)
        whenWritten()
      },
      standardError: OutputSink(isTerminal: isTerminal) { bytes throws(SystemError) in
        error.append(bytes)
        onMessage(String(decoding: bytes, as: UTF8.self))
      },
      environment: { environment[$0] })
    var rest = answers[...]
    var unread = Array(input.utf8)
    let source = InputSource(
      isTerminal: isTerminal,
      readPart: { () throws(SystemError) in
        defer { unread = [] }
        return unread
      }, readLine: { rest.popFirst() ?? .end })
    self.code = CommandLineTool.run(
      arguments: words, environment: { environment[$0] }, output: streams, input: source,
      registry: registry)
    self.output = output.text
    self.error = error.text
  }
}
