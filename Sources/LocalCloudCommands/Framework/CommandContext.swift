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
  package func run(_ command: any Command.Type, _ words: [String]) throws {
    var parsed = try CommandLineParser(words, for: command, in: registry).arguments(for: command.description)
    for option in GlobalOptions.all where parsed.options[option.name] == nil {
      parsed.options[option.name] = arguments.options[option.name]
    }
    try command.run(
      CommandContext(
        description: command.description, registry: registry, arguments: parsed, output: output, input: input,
        environment: variables))
  }

  // MARK: Positional arguments

  package func positional(_ name: String) -> String? { positionals(name).first }

  package func positionals(_ name: String) -> [String] { arguments.positionals[name] ?? [] }

  /// The value of a required argument; without one, of the option of that name. The parser has already checked that a
  /// required argument is present.
  package func required(_ name: String) throws -> String {
    guard let value = positional(name) ?? string(name) else {
      throw CommandFailure.usage("<\(name)> is missing")
    }
    return value
  }

  // MARK: Options

  /// An option's value, as given. It ignores environment variables; ``settings()`` resolves those.
  package func string(_ name: String) -> String? { arguments.options[name]?.first }

  package func all(_ name: String) -> [String] { arguments.options[name] ?? [] }

  package func flag(_ name: String) -> Bool { arguments.options[name] != nil }

  /// How often a flag was given.
  package func count(_ name: String) -> Int { all(name).count }

  package func integer(_ name: String) throws -> Int? {
    guard let text = string(name) else { return nil }
    guard let number = Int(text) else { throw CommandFailure.usage("--\(name) \"\(text)\" is not a whole number") }
    return number
  }

  package func number(_ name: String) throws -> Double? {
    guard let text = string(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw CommandFailure.usage("--\(name) \"\(text)\" is not a number")
    }
    return number
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
