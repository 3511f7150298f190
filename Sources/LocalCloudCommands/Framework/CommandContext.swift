import Platform

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
    var parsed = try ArgumentParser.parse(words, for: command.description)
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

  /// The value of a required argument, or else of the option of that name. The parser has already checked that a
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

  // MARK: Surroundings

  package func environment(_ variable: String) -> String? { variables(variable) }

  package var format: OutputFormat { output.settings.format }

  // MARK: Input

  /// Reads the bytes of a file that the user named; `-` is standard input.
  package func contents(ofFile path: String) throws -> [UInt8] {
    do throws(SystemError) {
      return path == "-" ? try input.readAll() : try UserFile.read(path)
    } catch {
      let name = path == "-" ? "standard input" : path
      throw CommandFailure(
        error.isMissing ? .notFound : .storage, code: error.isMissing ? "fileNotFound" : "storage",
        "cannot read \(name): \(error.reason)", path: path == "-" ? nil : path)
    }
  }
}
