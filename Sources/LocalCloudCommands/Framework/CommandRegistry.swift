/// All commands of the tool, as a tree of words.
package struct CommandRegistry: Sendable {
  package let commands: [any Command.Type]
  package let topics: [HelpTopic]
  /// Summaries of nouns: `["record": "Save, read and remove records"]`.
  package let nouns: [String: String]

  package init(
    _ commands: [any Command.Type], nouns: [String: String] = [:],
    topics: [HelpTopic] = [.exitCodes, .fields, .filters, .variables]
  ) {
    self.commands = commands
    self.nouns = nouns
    self.topics = topics
  }

  package func command(at path: [String]) -> (any Command.Type)? {
    commands.first { $0.description.path == path }
  }

  /// The commands below a path, in the order they were registered.
  package func commands(under path: [String]) -> [any Command.Type] {
    commands.filter { $0.description.path.starts(with: path) && $0.description.path.count > path.count }
  }

  /// The words that may follow a path.
  package func words(after path: [String], hidden: Bool = true) -> [String] {
    var result: [String] = []
    for command in commands(under: path) where hidden || !command.description.isHidden {
      let word = command.description.path[path.count]
      if !result.contains(word) { result.append(word) }
    }
    return result
  }

  /// The summary of the command or noun at `path`; empty if there is none.
  func summary(of path: [String]) -> String {
    command(at: path)?.description.summary ?? nouns[path.joined(separator: " ")] ?? ""
  }

  /// Mistakes in the descriptions. Tests require this list to be empty.
  package var problems: [String] {
    var result: [String] = []
    var seen: Set<[String]> = []
    for command in commands {
      let description = command.description
      if !seen.insert(description.path).inserted { result.append("\(description.name) is there twice") }
      if description.path.isEmpty { result.append("\(command) has no name") }
      if description.summary.isEmpty || description.summary.hasSuffix(".") {
        result.append("\(description.name): the summary is empty or ends in a full stop")
      }
      result += description.problems.map { "\(description.name): \($0)" }
    }
    for command in commands
    where !command.description.path.isEmpty && !commands(under: command.description.path).isEmpty {
      result.append("\(command.description.name) is the beginning of other commands")
    }
    for noun in words(after: []) where command(at: [noun]) == nil && nouns[noun] == nil {
      result.append("the noun \(noun) has no summary")
    }
    return result
  }
}

extension CommandDescription {
  fileprivate var problems: [String] {
    var result: [String] = []
    var names: Set<String> = []
    for option in GlobalOptions.all + options {
      for name in [option.name] + option.aliases + (option.short.map { [String($0)] } ?? []) {
        if !names.insert(name).inserted { result.append("two options are named \(name)") }
      }
    }
    for (index, argument) in arguments.enumerated() {
      if argument.isRepeating && index < arguments.count - 1 {
        result.append("\(argument.name) repeats before the end")
      }
      if index > 0, !argument.isOptional, arguments[index - 1].isOptional {
        result.append("\(argument.name) is required after an optional argument")
      }
    }
    let globals = OptionTable(GlobalOptions.all)
    for name in requiredGlobalOptions where globals.option(.long(name)) == nil {
      result.append("no global option is named \(name)")
    }
    for name in exclusiveOptions.joined() where !options.contains(where: { $0.name == name }) {
      result.append("no option is named \(name)")
    }
    return result
  }
}
