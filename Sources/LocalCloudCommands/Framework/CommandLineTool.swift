import LocalCloudStore

/// The whole tool: finds the command that a command line names, runs it, and reports failures.
package enum CommandLineTool {
  /// Runs one command line. `arguments` excludes the program's own name.
  package static func run(
    arguments: [String], environment: @escaping (String) -> String?, output: Output,
    input: InputSource = InputSource(.input), registry: CommandRegistry = .standard
  ) -> ExitCode {
    let line = CommandLineParser(arguments, in: registry)
    if line.wantsJSON { output.settings.format = .json }
    do {
      try run(line, environment: environment, output: output, input: input, registry: registry)
      return .success
    } catch let exit as SilentExit {
      return exit.exitCode
    } catch is BrokenPipe {
      return .success
    } catch {
      let failure = CommandFailure(error)
      report(failure, at: line, in: registry, output)
      return failure.exitCode
    }
  }

  private static func run(
    _ line: CommandLineParser, environment: @escaping (String) -> String?, output: Output, input: InputSource,
    registry: CommandRegistry
  ) throws {
    if line.unknownWord == nil, line.help != nil || ToolHelp.isRequested(by: line) {
      return try output.write(help(line.help ?? .full, at: line.path, in: registry, width: output.proseWidth))
    }
    var line = line
    if line.unknownWord == nil, line.wantsVersion {
      line = CommandLineParser(line.wantsJSON ? ["--json"] : [], for: VersionCommand(), in: registry)
    }
    guard let command = line.command else { throw unknown(line, in: registry) }
    let arguments = try line.arguments(for: command)
    let context = CommandContext(
      description: type(of: command).description, registry: registry, arguments: arguments, output: output,
      input: input,
      environment: environment)
    output.settings = settings(context)
    guard let code = context[GlobalOptions.expect] else { return try command.run(context) }
    try ExpectedRefusal(code: code).check(output) { try command.run(context) }
  }

  private static func help(
    _ level: CommandLineParser.HelpLevel, at path: [String], in registry: CommandRegistry, width: Int
  ) -> StyledText {
    guard let command = registry.command(at: path)?.init() else {
      return path.isEmpty
        ? HelpText.overview(registry, width: width) : HelpText.noun(path, in: registry, width: width)
    }
    return level == .full
      ? HelpText.full(command, width: width) : HelpText.short(command, width: width)
  }

  private static func settings(_ context: CommandContext) -> OutputSettings {
    var result = OutputSettings()
    result.format = context[GlobalOptions.json] ? .json : context[GlobalOptions.format] ?? .table
    result.color = context[GlobalOptions.color] ?? .auto
    result.isQuiet = context[GlobalOptions.quiet]
    result.verbosity = context.count(GlobalOptions.verbose)
    return result
  }

  // MARK: Failures

  private static func unknown(_ line: CommandLineParser, in registry: CommandRegistry) -> CommandFailure {
    let path = line.path
    guard let word = line.unknownWord else {
      if let failure = line.unknownOption { return failure }
      let verbs = registry.words(after: path).joined(separator: ", ")
      return path.isEmpty
        ? .usage("a command is missing")
        : .usage("a verb is missing after \"\(path.joined(separator: " "))\": \(verbs)")
    }
    let meant = suggestion(for: word, after: path, in: registry).map { "did you mean \($0)?" }
    if path.isEmpty { return .usage("unknown command \"\(word)\"", hint: meant) }
    let noun = "\"\(path.joined(separator: " "))\""
    let verbs = registry.words(after: path)
    let known = similarVerb(to: word, among: verbs) == nil ? "\(noun) has \(verbs.joined(separator: ", "))" : nil
    let failure = CommandFailure.usage(
      "unknown verb \"\(word)\" after \(noun)", hint: [known, meant].compactMap(\.self).joined(separator: "; "))
    return failure.inToolForm("Unexpected argument '\(word)'")
  }

  private static func similarVerb(to word: String, among verbs: [String]) -> String? {
    WordSuggestion.nearest(to: word, among: verbs) ?? WordSuggestion.synonym(of: word, among: verbs)
  }

  /// Suggests a command with a similar verb; without one, up to three commands with `word` as their last word.
  static func suggestion(for word: String, after path: [String], in registry: CommandRegistry) -> String? {
    if let near = similarVerb(to: word, among: registry.words(after: path)) {
      return "\"\((path + [near]).joined(separator: " "))\""
    }
    let same = registry.commands.map { $0.description }.filter { $0.path.last == word }
    return same.isEmpty ? nil : same.prefix(3).map { "\"\($0.name)\"" }.joined(separator: " or ")
  }

  private static func report(
    _ failure: CommandFailure, at line: CommandLineParser, in registry: CommandRegistry, _ output: Output
  ) {
    var failure = failure
    // The command line itself is wrong. An incomplete one, for example without a required confirmation, has another
    // code.
    let isUsage = failure.exitCode == .usage && failure.code == "usage"
    if isUsage, ToolHelp.covers(line.path), !output.settings.format.isJSON {
      return output.say(ToolHelp.text(of: failure, in: line.command))
    }
    if isUsage && failure.hint == nil {
      failure.hint = "see \"\((["localcloud", "help"] + line.path).joined(separator: " "))\""
    }
    if output.settings.format.isJSON { return output.say(StyledText(line: FailureRenderer.json(failure))) }
    let command = line.command
    let isIncomplete = command == nil && line.unknownWord == nil && line.unknownOption == nil
    if isUsage && isIncomplete {
      output.say(help(.short, at: line.path, in: registry, width: output.proseWidth))
    }
    let noun = (["localcloud"] + line.path).joined(separator: " ")
    let usage = command?.usage ?? "\(noun) <\(line.path.isEmpty ? "command" : "verb")> [options]"
    output.say(FailureRenderer.text(failure, usage: isUsage && !isIncomplete ? usage : nil))
  }
}

extension StyledText {
  /// Creates text from trusted text that needs no escaping.
  fileprivate init(line: String) {
    self.init()
    append(trusted: line)
  }
}
