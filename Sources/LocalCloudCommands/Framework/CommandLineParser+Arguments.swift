extension CommandLineParser {
  /// Binds the uses of options and the positional words to the declarations of the command. Throws the first mistake.
  /// - Parameter inherited: values of options that the command line does not give.
  func arguments(
    for command: any Command, inheriting inherited: [String: [any Sendable]] = [:]
  ) throws(CommandFailure) -> ParsedArguments {
    var result = ParsedArguments()
    var words: [String] = []
    for use in uses {
      guard let option = option(use.name) else {
        var failure = table.unknown(use)
        if case .long(let name) = use.name, let hint = type(of: command).description.unknownOptionHints[name] {
          failure.hint = hint
        }
        throw failure
      }
      try bind(use, to: option, &result, &words)
    }
    try bind((words + positionals)[...], to: command.arguments.map(\.description), &result)
    result.options.merge(inherited) { own, _ in own }
    try check(result, command)
    return result
  }

  /// The values of the options of a command line that is not finished, without those that are wrong.
  func optionsSoFar() -> [String: [any Sendable]] {
    var result = ParsedArguments()
    var words: [String] = []
    for use in uses {
      if let option = option(use.name) { try? bind(use, to: option, &result, &words) }
    }
    return result.options
  }

  private func bind(
    _ use: OptionUse, to option: OptionDescription, _ result: inout ParsedArguments, _ positionals: inout [String]
  ) throws(CommandFailure) {
    switch option.kind {
    case .flag:
      if let value = use.attached {
        throw CommandFailure.usage("\(use.spelling) takes no value, but got \"\(value)\"")
          .inToolForm("The option '\(use.spelling)' does not take any value, but '\(value)' was specified.")
      }
      // Repeating a flag has no further effect: an alias may already contain it.
      if option.isRepeating || result.options[option.name] == nil {
        result.options[option.name, default: []].append(true)
      }
      // The pass over the words took them for values of another command's option.
      positionals += use.words
    case .value(let placeholder):
      if result.options[option.name] != nil && !option.isRepeating { throw .usage("\(use.spelling) is given twice") }
      guard let value = use.value else { throw missingValue(placeholder, of: use, option) }
      result.options[option.name, default: []].append(try self.value(value, of: use, option))
    case .values(let placeholder):
      let values = use.attached.map { [$0] } ?? use.words
      if values.isEmpty { throw missingValue(placeholder, of: use, option) }
      for value in values { result.options[option.name, default: []].append(try self.value(value, of: use, option)) }
    }
  }

  private func value(
    _ word: String, of use: OptionUse, _ option: OptionDescription
  ) throws(CommandFailure) -> any Sendable {
    do throws(CommandFailure) {
      return try option.convert(word, use.spelling)
    } catch {
      throw error.wrongValue(word, of: use.toolLabel(option), option)
    }
  }

  private func missingValue(_ placeholder: String, of use: OptionUse, _ option: OptionDescription) -> CommandFailure {
    let label = use.toolLabel(option)
    return use.missingValue(placeholder).inToolForm("Missing value for '\(label)'", help: "\(label)  \(option.help)")
  }

  private func bind(
    _ words: ArraySlice<String>, to arguments: [ArgumentDescription], _ result: inout ParsedArguments
  ) throws(CommandFailure) {
    var rest = words
    for argument in arguments {
      let values = Array(rest.prefix(argument.isRepeating ? rest.count : 1))
      rest = rest.dropFirst(values.count)
      if values.isEmpty && !argument.isOptional {
        let label = "<\(argument.name)>"
        throw CommandFailure.usage("\(label) is missing: \(argument.help)").missing(label, argument.help)
      }
      var converted: [any Sendable] = []
      for value in values { converted.append(try argument.convert(value, "<\(argument.name)>")) }
      if !values.isEmpty { result.positionals[argument.name] = converted }
    }
    if let extra = rest.first {
      let words = rest.map { "'\($0)'" }.joined(separator: ", ")
      throw CommandFailure.usage("unexpected argument \"\(extra)\"").inToolForm(
        rest.count == 1 ? "Unexpected argument \(words)" : "\(rest.count) unexpected arguments: \(words)")
    }
  }

  private func check(_ result: ParsedArguments, _ command: any Command) throws(CommandFailure) {
    for (option, name) in type(of: command).description.requiredGlobalOptions.map({ ($0.option.description, $0.name) })
    where result.options[option.name] == nil { throw missing(option, named: name) }
    for option in command.allOptions.map(\.description) where option.isRequired && result.options[option.name] == nil {
      throw missing(option, named: option.name)
    }
    for option in (GlobalOptions.all + command.allOptions).map(\.description) where result.options[option.name] != nil {
      if let other = option.excludes.first(where: { result.options[$0] != nil }) {
        throw .usage("--\(option.name) and --\(other) cannot be given together")
      }
    }
    if result.options[GlobalOptions.json.name] != nil,
      let format = result.options[GlobalOptions.format.name]?.first as? OutputFormat, format != .json
    {
      throw .usage("--json and --format \(format.rawValue) cannot be given together")
    }
  }

  private func missing(_ option: OptionDescription, named name: String) -> CommandFailure {
    CommandFailure.usage("--\(name) is missing: \(option.help)").missing("--\(name) <\(name)>", option.help)
  }
}
