import LocalCloudModel
import LocalCloudService

/// The menu of `share manage`. It shows a share, asks for an action, and runs the command of that action.
struct ShareMenu {
  let context: CommandContext
  let link: String

  /// The next step after an entry.
  private enum Step { case show, ask, end }

  /// Runs the menu until the user quits, stops the share or leaves it.
  func run() throws {
    while true {
      let target = try context.shareTarget(link: link, in: context.session())
      let people = try People(target.session)
      try context.output.write(ShareText(people: people).details(target.record).line)
      var step = Step.ask
      while step == .ask {
        let entries = ShareMenuEntry.entries(for: try target.role, target.details)
        guard let entry = try choose(from: entries) else { return }
        step = try attempt { try perform(entry, target, people) }
      }
      if step == .end { return }
    }
  }

  /// Asks for an entry. Returns nil if the user quits or the input ends.
  private func choose(from entries: [ShareMenuEntry]) throws -> ShareMenuEntry? {
    var menu: StyledText = "\n"
    for entry in entries { menu.append("  \(entry.rawValue, .bold)  \(entry.title)\n" as StyledText) }
    context.output.say(menu, terminator: "")
    while let answer = try context.ask("choice:") {
      if answer.isEmpty { return .refresh }
      let entry = entries.first { $0.rawValue == answer.lowercased() }
      if let entry { return entry == .quit ? nil : entry }
      context.output.say("\"\(answer)\" is none of \(entries.map(\.rawValue).joined(separator: ", "))")
    }
    return nil
  }

  /// Runs `body`. Shows a failure and continues the menu.
  private func attempt(_ body: () throws -> Step) throws -> Step {
    do { return try body() } catch {
      if error is SilentExit || error is BrokenPipe { throw error }
      context.output.say(FailureRenderer.text(CommandFailure(error)))
      return .show
    }
  }

  // MARK: Entries

  /// Performs an entry. If the user leaves out an answer, nothing is done.
  private func perform(_ entry: ShareMenuEntry, _ target: ShareTarget, _ people: People) throws -> Step {
    switch entry {
    case .invite:
      guard let who = try answer("invite whom (an address, a number or an account)?"),
        let permission = try choosePermission(SharePermission.privateCases)
      else { return .ask }
      try run(ShareInviteCommand()) { [$0.people.word(who), $0.permission.word(permission)] }
    case .permission:
      guard let who = try chooseParticipant(target, people),
        let permission = try choosePermission(SharePermission.privateCases)
      else { return .ask }
      try run(ShareSetCommand()) { [$0.participants.word(who), $0.permission.word(permission)] }
    case .remove:
      guard let who = try chooseParticipant(target, people) else { return .ask }
      try run(ShareRemoveCommand()) { [$0.participants.word(who)] }
    case .link:
      guard let permission = try choosePermission(SharePermission.privateCases) else { return .ask }
      try run(ShareLinkCommand()) { [$0.permission.word(permission)] }
    case .requests:
      let names = target.details.accessRequests.requesters.map(ShareText(people: people).name)
      guard let who = try choose("whom?", names), let answer = try choose("answer?", ["approve", "deny", "block"])
      else { return .ask }
      try self.answer(who, answer)
    case .open:
      guard let permission = try choosePermission(SharePermission.publicCases) else { return .ask }
      try run(ShareSetCommand()) { [$0.publicPermission.word(permission)] }
    case .stop:
      try context.confirm("stop sharing \(target.rootName)")
      try run(ShareStopCommand())
      return .end
    case .leave:
      try context.confirm("leave the share of \(target.rootName)")
      try run(ShareLeaveCommand())
      return .end
    case .copy:
      try context.output.write("\(target.details.url ?? link)\n")
      return .ask
    case .refresh, .quit: break
    }
    return .show
  }

  private func answer(_ who: String, _ answer: String) throws {
    switch answer {
    case "approve":
      guard let permission = try choosePermission(SharePermission.privateCases) else { return }
      try run(ShareApproveCommand()) { [$0.people.word(who), $0.permission.word(permission)] }
    case "deny": try run(ShareDenyCommand()) { [$0.people.word(who)] }
    case "block": try run(ShareBlockCommand()) { [$0.people.word(who)] }
    default: context.output.say("\"\(answer)\" is none of approve, deny, block")
    }
  }

  /// Runs a command on the share, with the words that `options` makes of its options.
  private func run<Verb: Command>(_ command: Verb, _ options: (Verb) -> [String] = { _ in [] }) throws {
    try context.run(command, [link] + options(command))
  }

  // MARK: Questions

  /// Asks a question. Returns nil if the answer is empty or the input ends.
  private func answer(_ question: StyledText) throws -> String? {
    let answer = try context.ask(question)
    return answer?.isEmpty == true ? nil : answer
  }

  private func chooseParticipant(_ target: ShareTarget, _ people: People) throws -> String? {
    let others = target.details.participants.filter { $0.role != .owner }
    if others.isEmpty {
      context.output.say("there is nobody but the owner")
      return nil
    }
    return try choose("whom?", others.map(ShareText(people: people).name))
  }

  private func choosePermission(_ cases: [SharePermission]) throws -> String? {
    try choose("permission?", cases.map(\.text))
  }

  /// Asks for an item of a list. Returns the item with the answered number; if the answer is no such number, the answer
  /// itself.
  private func choose(_ question: StyledText, _ names: [String]) throws -> String? {
    for (index, name) in names.enumerated() { context.output.say("  \(index + 1, .bold)  \(name)") }
    guard let answer = try answer(question) else { return nil }
    guard let number = Int(answer), names.indices.contains(number - 1) else { return answer }
    return names[number - 1]
  }
}
