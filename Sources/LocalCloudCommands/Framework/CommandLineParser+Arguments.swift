extension CommandLineParser {
  /// Binds the uses of options and the positional words to the command's description. Throws the first mistake.
  func arguments(for description: CommandDescription) throws(CommandFailure) -> ParsedArguments {
    var result = ParsedArguments()
    var words: [String] = []
    for use in uses {
      guard let option = table.option(use.name) else { throw table.unknown(use) }
      try bind(use, to: option, &result, &words)
    }
    try bind((words + positionals)[...], to: description.arguments, &result)
    try check(result, description)
    return result
  }

  private func bind(
    _ use: OptionUse, to option: OptionDescription, _ result: inout ParsedArguments, _ positionals: inout [String]
  ) throws(CommandFailure) {
    switch option.kind {
    case .flag:
      if let value = use.attached { throw .usage("\(use.spelling) takes no value, but got \"\(value)\"") }
      // Repeating a flag has no further effect: an alias may already contain it.
      if option.isRepeating || result.options[option.name] == nil {
        result.options[option.name, default: []].append("")
      }
      // The pass over the words took them for values of another command's option.
      positionals += use.words
    case .value(let placeholder):
      if result.options[option.name] != nil && !option.isRepeating { throw .usage("\(use.spelling) is given twice") }
      guard let value = use.value else { throw use.missingValue(placeholder) }
      if let problem = option.problem(with: value, from: use.spelling) { throw problem }
      result.options[option.name, default: []].append(value)
    case .values(let placeholder):
      let values = use.attached.map { [$0] } ?? use.words
      if values.isEmpty { throw use.missingValue(placeholder) }
      result.options[option.name, default: []] += values
    }
  }

  private func bind(
    _ words: ArraySlice<String>, to arguments: [ArgumentDescription], _ result: inout ParsedArguments
  ) throws(CommandFailure) {
    var rest = words
    for argument in arguments {
      let values = Array(rest.prefix(argument.isRepeating ? rest.count : 1))
      rest = rest.dropFirst(values.count)
      if values.isEmpty && !argument.isOptional { throw .usage("<\(argument.name)> is missing: \(argument.help)") }
      for value in values where !argument.allowedValues.isEmpty && !argument.allowedValues.contains(value) {
        let near = WordSuggestion.nearest(to: value, among: argument.allowedValues)
        throw .usage(
          "<\(argument.name)> cannot be \"\(value)\": it is one of \(argument.allowedValues.joined(separator: ", "))",
          hint: near.map { "did you mean \"\($0)\"?" })
      }
      if !values.isEmpty { result.positionals[argument.name] = values }
    }
    if let extra = rest.first { throw .usage("unexpected argument \"\(extra)\"") }
  }

  private func check(_ result: ParsedArguments, _ description: CommandDescription) throws(CommandFailure) {
    for name in description.requiredGlobalOptions {
      guard let option = table.option(.long(name)), result.options[option.name] == nil else { continue }
      throw .usage("--\(name) is missing: \(option.help)")
    }
    for option in description.options where option.isRequired && result.options[option.name] == nil {
      throw .usage("--\(option.name) is missing: \(option.help)")
    }
    for group in GlobalOptions.exclusive + description.exclusiveOptions {
      let given = group.filter { result.options[$0] != nil }
      if given.count > 1 { throw .usage("--\(given[0]) and --\(given[1]) cannot be given together") }
    }
    if result.options["json"] != nil, let format = result.options["format"]?.first, format != "json" {
      throw .usage("--json and --format \(format) cannot be given together")
    }
  }
}
