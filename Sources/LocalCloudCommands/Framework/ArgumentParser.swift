/// Parses the words after a command's name and checks them against the command's description.
struct ArgumentParser {
  private let description: CommandDescription
  private let table: OptionTable
  private var result = ParsedArguments()
  private var positionals: [String] = []

  static func parse(_ words: [String], for description: CommandDescription) throws -> ParsedArguments {
    var parser = ArgumentParser(description)
    try parser.read(words)
    try parser.assignPositionals()
    try parser.checkOptions()
    return parser.result
  }

  private init(_ description: CommandDescription) {
    self.description = description
    table = OptionTable(description.options + GlobalOptions.all)
  }

  private mutating func read(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch OptionWord(word) {
      case .argument:
        positionals.append(word)
      case .terminator:
        positionals += rest
        return
      case .long(let name, let value):
        guard let option = table.option(long: name) else { throw table.unknown(long: name) }
        try take(option, spelled: "--\(name)", value: value, from: &rest)
      case .short(let names):
        try readCluster(names, word: word, from: &rest)
      }
    }
  }

  private mutating func readCluster(_ names: [Character], word: String, from rest: inout ArraySlice<String>) throws {
    for (offset, name) in names.enumerated() {
      guard let option = table.option(short: name) else { throw table.unknown(short: name, in: word) }
      let attached = String(names[(offset + 1)...])
      try take(option, spelled: "-\(name)", value: option.takesValue && !attached.isEmpty ? attached : nil, from: &rest)
      if option.takesValue { return }
    }
  }

  private mutating func take(
    _ option: OptionDescription, spelled spelling: String, value: String?, from rest: inout ArraySlice<String>
  ) throws {
    switch option.kind {
    case .flag:
      if let value { throw CommandFailure.usage("\(spelling) takes no value, but got \"\(value)\"") }
      // Repeating a flag has no further effect: an alias may already contain it.
      if option.isRepeating || result.options[option.name] == nil {
        result.options[option.name, default: []].append("")
      }
    case .value(let placeholder):
      if result.options[option.name] != nil && !option.isRepeating {
        throw CommandFailure.usage("\(spelling) is given twice")
      }
      let value = try value ?? nextValue(spelling, placeholder, from: &rest)
      if let problem = option.problem(with: value, from: spelling) { throw problem }
      result.options[option.name, default: []].append(value)
    case .values(let placeholder):
      var values = [try value ?? nextValue(spelling, placeholder, from: &rest)]
      if value == nil {
        while let next = rest.first, OptionWord.isValue(next) { values.append(rest.removeFirst()) }
      }
      result.options[option.name, default: []] += values
    }
  }

  private func nextValue(_ spelling: String, _ placeholder: String, from rest: inout ArraySlice<String>) throws
    -> String
  {
    guard let next = rest.first, next != "--" else {
      throw CommandFailure.usage("\(spelling) needs a value: \(spelling) \(placeholder)")
    }
    guard OptionWord.isValue(next) else {
      let joined = spelling.hasPrefix("--") ? "\(spelling)=\(next)" : "\(spelling)\(next)"
      throw CommandFailure.usage(
        "\(spelling) needs a value, but \"\(next)\" follows", hint: "if that is the value, write \"\(joined)\"")
    }
    return rest.removeFirst()
  }

  private mutating func assignPositionals() throws {
    var rest = positionals[...]
    for argument in description.arguments {
      let count = argument.isRepeating ? rest.count : min(1, rest.count)
      if count == 0 && !argument.isOptional {
        throw CommandFailure.usage("<\(argument.name)> is missing: \(argument.help)")
      }
      let values = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      for value in values where !argument.allowedValues.isEmpty && !argument.allowedValues.contains(value) {
        let near = WordSuggestion.nearest(to: value, among: argument.allowedValues)
        throw CommandFailure.usage(
          "<\(argument.name)> cannot be \"\(value)\": it is one of \(argument.allowedValues.joined(separator: ", "))",
          hint: near.map { "did you mean \"\($0)\"?" })
      }
      if !values.isEmpty { result.positionals[argument.name] = values }
    }
    if let extra = rest.first { throw CommandFailure.usage("unexpected argument \"\(extra)\"") }
  }

  private func checkOptions() throws {
    for name in description.requiredGlobalOptions {
      guard let option = table.option(long: name), result.options[option.name] == nil else { continue }
      throw CommandFailure.usage("--\(name) is missing: \(option.help)")
    }
    for option in description.options where option.isRequired && result.options[option.name] == nil {
      throw CommandFailure.usage("--\(option.name) is missing: \(option.help)")
    }
    for group in GlobalOptions.exclusive + description.exclusiveOptions {
      let given = group.filter { result.options[$0] != nil }
      if given.count > 1 {
        throw CommandFailure.usage("--\(given[0]) and --\(given[1]) cannot be given together")
      }
    }
    if result.options["json"] != nil, let format = result.options["format"]?.first, format != "json" {
      throw CommandFailure.usage("--json and --format \(format) cannot be given together")
    }
  }
}
