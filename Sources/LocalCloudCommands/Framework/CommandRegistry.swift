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
  package func words(after path: [String]) -> [String] {
    var result: [String] = []
    for command in commands(under: path) {
      let word = command.description.path[path.count]
      if !result.contains(word) { result.append(word) }
    }
    return result
  }

  /// The summary of the command or noun at `path`; empty if there is none.
  func summary(of path: [String]) -> String {
    command(at: path)?.description.summary ?? nouns[path.joined(separator: " ")] ?? ""
  }

  /// Mistakes in the descriptions and declarations. Tests require this list to be empty.
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
      result += command.init().problems.map { "\(description.name): \($0)" }
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

extension Command {
  fileprivate var problems: [String] {
    var result: [String] = []
    var names: Set<String> = []
    let options = allOptions.map(\.description)
    for option in GlobalOptions.all.map(\.description) + options {
      for name in [option.name] + option.aliases + (option.short.map { [String($0)] } ?? []) {
        if !names.insert(name).inserted { result.append("two options are named \(name)") }
      }
    }
    let arguments = arguments.map(\.description)
    for (index, argument) in arguments.enumerated() {
      if argument.isRepeating && index < arguments.count - 1 {
        result.append("\(argument.name) repeats before the end")
      }
      if index > 0, !argument.isOptional, arguments[index - 1].isOptional {
        result.append("\(argument.name) is required after an optional argument")
      }
    }
    for required in Self.description.requiredGlobalOptions {
      let option = required.option.description
      if !([option.name] + option.aliases).contains(required.name) {
        result.append("no global option is named \(required.name)")
      }
    }
    for name in options.flatMap(\.excludes) where !options.contains(where: { $0.name == name }) {
      result.append("no option is named \(name)")
    }
    if Self.description.deletesData, !options.contains(where: { $0.name == Flag.dryRun.name }) {
      result.append("it deletes data and has no --dry-run")
    }
    return result + unlisted(in: self, options.map(\.name), arguments.map(\.name))
  }

  /// The properties, also those of option groups, that are not in the command's lists.
  private func unlisted(in group: any OptionGroup, _ options: [String], _ arguments: [String]) -> [String] {
    Mirror(reflecting: group).children.flatMap { label, value -> [String] in
      let isListed: Bool
      switch value {
      case let option as any OptionDeclaration: isListed = options.contains(option.name)
      case let argument as any ArgumentDeclaration: isListed = arguments.contains(argument.description.name)
      case let group as any OptionGroup: return unlisted(in: group, options, arguments)
      default: isListed = false
      }
      return isListed ? [] : ["the property \(label ?? "") is in no list of options or arguments"]
    }
  }
}
