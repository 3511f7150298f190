import LocalCloudPlatform

/// The input of a command: its checked arguments and its streams.
package final class CommandContext {
  package let description: CommandDescription
  package let registry: CommandRegistry
  package let output: Output
  package let input: InputSource
  private let arguments: ParsedArguments
  private let variables: (String) -> String?

  init(
    description: CommandDescription, registry: CommandRegistry, arguments: ParsedArguments, output: Output,
    input: InputSource, environment: @escaping (String) -> String?
  ) {
    self.description = description
    self.registry = registry
    self.arguments = arguments
    self.output = output
    self.input = input
    variables = environment
  }

  /// Runs another command as if the user had typed it, with the global options of this command line.
  package func run(_ command: any Command, _ words: [String]) throws {
    let globals = arguments.options.filter { given in GlobalOptions.all.contains { $0.name == given.key } }
    let parsed = try CommandLineParser(words, for: command, in: registry).arguments(for: command, inheriting: globals)
    try command.run(
      CommandContext(
        description: type(of: command).description, registry: registry, arguments: parsed, output: output, input: input,
        environment: variables))
  }

  // MARK: Arguments and options

  package subscript<Value>(argument: Argument<Value>) -> Value {
    required(arguments.positionals[argument.description.name], "<\(argument.description.name)>")
  }

  package subscript<Value>(argument: OptionalArgument<Value>) -> Value? {
    arguments.positionals[argument.description.name]?.first as? Value
  }

  package subscript<Value>(argument: ArgumentList<Value>) -> [Value] {
    (arguments.positionals[argument.description.name] ?? []).compactMap { $0 as? Value }
  }

  package subscript(flag: Flag) -> Bool { isGiven(flag) }

  /// The value, as given. It ignores environment variables; ``settings(root:)`` resolves those.
  package subscript<Value>(option: Option<Value>) -> Value? { arguments.options[option.name]?.first as? Value }

  package subscript<Value>(option: RequiredOption<Value>) -> Value {
    required(arguments.options[option.name], "--\(option.name)")
  }

  package subscript<Value>(option: OptionList<Value>) -> [Value] {
    (arguments.options[option.name] ?? []).compactMap { $0 as? Value }
  }

  package func isGiven(_ option: any OptionDeclaration) -> Bool { arguments.options[option.name] != nil }

  /// Whether a flag was given, or an option with the value true.
  func isOn(_ name: String) -> Bool { arguments.options[name]?.first as? Bool == true }

  /// The values of an option; nil if it was not given.
  package func valuesIfGiven<Value>(_ option: OptionList<Value>) -> [Value]? { isGiven(option) ? self[option] : nil }

  /// How often a flag was given.
  package func count(_ flag: Flag) -> Int { arguments.options[flag.name]?.count ?? 0 }

  /// The parser has refused a command line without the value, so that it is only absent if the command's lists lack the
  /// declaration. A test compares these lists with the properties of the command.
  private func required<Value>(_ values: [any Sendable]?, _ spelling: String) -> Value {
    guard let value = values?.first as? Value else {
      preconditionFailure("\(description.name) reads \(spelling), which is not in its options or arguments")
    }
    return value
  }

  // MARK: Environment

  package func environment(_ variable: String) -> String? { variables(variable) }

  package var format: OutputFormat { output.settings.format }

  // MARK: Input

  /// Reads the bytes of a file or pipe that the user named; `-` is standard input.
  package func contents(ofFile path: String, limit: ReadLimit) throws -> [UInt8] {
    do throws(SystemError) {
      return path == "-"
        ? try input.readAll(limit: limit) : try UserFile.read(path, limit: limit, acceptsStreams: true)
    } catch {
      throw CommandFailure(
        reading: path == "-" ? nil : path, error, hint: "no text that localcloud takes is so long: name another file")
    }
  }
}

extension CommandFailure {
  /// A failure to read an input that the user named. `path`: nil for standard input. `hint`: advice if the input
  /// exceeds the limit.
  init(reading path: String?, _ error: SystemError, hint: String? = nil) {
    let name = path ?? InputSource.name
    guard error.path == name else {
      self.init(
        .storage, code: "storage", "cannot copy \(name) to \(error.path): \(error.reason)",
        hint: "TMPDIR names the folder for temporary files", path: error.path)
      return
    }
    let (exitCode, code): (ExitCode, String) =
      error.isOverLimit ? (.failure, "badInput") : error.isMissing ? (.notFound, "fileNotFound") : (.storage, "storage")
    self.init(
      exitCode, code: code, "cannot read \(name): \(error.reason)", hint: error.isOverLimit ? hint : nil, path: path)
  }
}
