/// The words that can complete the last word of a command line.
struct Completion {
  struct Candidate: Hashable {
    var word: String
    /// An explanation for the user; empty if there is none.
    var note = ""
  }

  private(set) var candidates: [Candidate] = []
  /// ``CompletionKind/file`` or ``CompletionKind/folder`` if the shell completes a path.
  private(set) var paths: CompletionKind?

  /// - Parameter words: the words behind the program's name; the last one is completed.
  init(_ words: [String], _ context: CommandContext) {
    let word = words.last ?? ""
    let line = CommandLineParser(Array(words.dropLast()), in: context.registry)
    var search = CompletionSearch(line: line, word: word, context: context)
    search.complete()
    (candidates, paths) = (search.candidates, search.paths)
  }

  init(candidates: [Candidate] = [], paths: CompletionKind? = nil) {
    self.candidates = candidates
    self.paths = paths
  }

  /// The same with other words; a nil word is left out.
  func mapped(_ transform: (String) -> String?) -> Completion {
    Completion(
      candidates: candidates.compactMap { candidate in
        transform(candidate.word).map { Candidate(word: $0, note: candidate.note) }
      }, paths: paths)
  }
}

private struct CompletionSearch {
  let line: CommandLineParser
  let word: String
  let context: CommandContext
  var candidates: [Completion.Candidate] = []
  var paths: CompletionKind?

  mutating func complete() {
    if line.unknownWord != nil { return }
    if line.isTerminated { return completeArgument() }
    if let use = line.openUse, let option = use.option, OptionWord.isValue(word),
      use.words.isEmpty || line.command != nil
    {
      return completeValue(option.allowedValues, option.completes)
    }
    switch OptionWord(word) {
    case .argument where word != "-": completeArgument()
    case .long(let name, _?):
      guard let option = line.option(.long(name)), option.takesValue else { return }
      completeValue(option.allowedValues, option.completes, behind: "--\(name)=")
    default: completeOption()
    }
  }

  private mutating func completeOption() {
    let given = Set(line.uses.compactMap(\.option?.name))
    var seen: Set<String> = []
    let options = (line.command == nil ? OptionTable.global : line.table).options
    for option in options where seen.insert(option.name).inserted {
      if option.isRepeating || !given.contains(option.name) {
        offer([.init(word: "--\(option.name)", note: option.help)], isOption: true)
      }
    }
  }

  private mutating func completeArgument() {
    guard let command = line.command else { return offer(commands(after: line.path)) }
    let arguments = command.arguments.map(\.description)
    let last = arguments.last.flatMap { $0.isRepeating ? $0 : nil }
    let index = line.positionals.count
    guard let argument = index < arguments.count ? arguments[index] : last else { return }
    if argument.completes == .command, index == 0, command is HelpCommand {
      offer(context.registry.topics.map { .init(word: $0.name, note: $0.summary) })
    }
    completeValue(argument.allowedValues, argument.completes)
  }

  private mutating func completeValue(_ words: [String], _ kind: CompletionKind, behind prefix: String = "") {
    if !words.isEmpty { return offer(words.map { .init(word: $0) }, behind: prefix) }
    switch kind {
    case .none: break
    case .file, .folder: paths = kind
    case .command: offer(commands(after: line.positionals))
    default:
      let start = String(decoding: word.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      let names = CloudNames(context.unfinished(line), start: start)
      // A cloud that can't be read has no names: an error message would destroy the user's line.
      offer((try? names.candidates(kind)) ?? [], behind: prefix)
    }
  }

  private func commands(after path: [String]) -> [Completion.Candidate] {
    let registry = context.registry
    return registry.words(after: path).map { .init(word: $0, note: registry.summary(of: path + [$0])) }
  }

  /// Adds the candidates that begin with the last word. Omits names that a command line can't give at this position: an
  /// argument with a leading dash before `--`, and names with line breaks or control characters.
  private mutating func offer(_ all: [Completion.Candidate], behind prefix: String = "", isOption: Bool = false) {
    for candidate in all {
      let whole = prefix + candidate.word
      let isArgument =
        isOption || line.isTerminated || !prefix.isEmpty || candidate.word.utf8.first != UInt8(ascii: "-")
      guard isArgument, whole.utf8.starts(with: word.utf8), !candidate.word.isEmpty,
        !whole.unicodeScalars.contains(where: VisibleText.isHarmful)
      else { continue }
      candidates.append(.init(word: whole, note: candidate.note))
    }
  }
}

extension CommandContext {
  /// The context for the names of a command line that is not finished. It does not wait for locks and prints nothing.
  fileprivate func unfinished(_ line: CommandLineParser) -> CommandContext {
    var arguments = ParsedArguments()
    arguments.options = line.optionsSoFar()
    arguments.options[GlobalOptions.lockTimeout.name] = [0.0]
    // The shell has not expanded the word yet.
    if let root = arguments.options[GlobalOptions.root.name]?.first as? String, root.hasPrefix("~/"),
      let home = environment("HOME")
    {
      arguments.options[GlobalOptions.root.name] = [home + root.dropFirst()]
    }
    let silent = OutputSink { _ in }
    return CommandContext(
      description: description, registry: registry, arguments: arguments,
      output: Output(standardOutput: silent, standardError: silent), input: input, environment: environment)
  }
}
