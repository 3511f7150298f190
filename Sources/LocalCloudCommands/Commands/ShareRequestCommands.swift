import LocalCloudModel
import LocalCloudService

struct ShareRequestCommand: Command {
  static let description = CommandDescription(
    "share", "request", summary: "Ask to be let in to a share",
    discussion:
      "As with iCloud, success does not tell whether there is such a share, or whether it takes requests.",
    examples: [
      .init("As carol", "localcloud share request \"$url\" --account carol"),
      .init("Let her in", "localcloud share approve \"$url\" --person carol --account alice"),
    ],
    exitCodes: [.noStore, .locked, .refused])

  let link = Argument<String>.shareLink

  var arguments: [any ArgumentDeclaration] { [link] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let link = context[self.link]
    guard ShareDetails.shortGUID(inURL: link) != nil else {
      throw CommandFailure.usage(
        "\(ShellText.word(link)) is no share's link", hint: "a link begins with \(ShareDetails.urlPrefix)")
    }
    try session.service.sharing.requestAccess(url: link, by: session.caller)
    try context.writeUnlessQuiet(
      ["requested": true, "url": .string(link)], text: "sent the request, if the share takes any")
  }
}

struct ShareApproveCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "approve", summary: "Invite people who asked to be let in",
    examples: [
      .init("Somebody who may write", "localcloud share approve \"$url\" --person carol --permission readWrite")
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let people = ShareOptions.people("who asks")
  let permission = ShareOptions.permission("what they may do; else readOnly")

  var options: [any OptionDeclaration] { share.options + [people, permission] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    var details = target.details
    let people = try target.people(
      context[self.people], in: details.accessRequests.requesters, otherwise: "does not ask for access to")
    for participant in try target.service.sharing.participants(for: people.compactMap(\.lookup), by: target.caller) {
      var participant = try participant.get()
      participant.permission = context[permission] ?? .readOnly
      details.participants.append(participant)
    }
    let record = try target.save(details)
    try context.writeUnlessQuiet(
      record.object, text: "invited \(context[self.people].joined(separator: ", "), .bold) to \(record.id.name)")
  }
}

struct ShareDenyCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "deny", summary: "Turn down people who asked to be let in",
    discussion: "They may ask again; \"share block\" keeps them from it.",
    examples: [.init("One person", "localcloud share deny \"$url\" --person carol")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let people = ShareOptions.people("who asks")

  var options: [any OptionDeclaration] { share.options + [people] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    var details = target.details
    let people = try target.people(
      context[self.people], in: details.accessRequests.requesters, otherwise: "does not ask for access to")
    details.accessRequests.requesters.removeAll { people.contains($0) }
    let record = try target.save(details)
    try context.writeUnlessQuiet(
      record.object, text: "turned down \(context[self.people].joined(separator: ", "), .bold)")
  }
}

struct ShareBlockCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "block", summary: "Take people off a share and its requests, and let them ask no more",
    examples: [.init("One person", "localcloud share block \"$url\" --person carol")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let people = ShareOptions.people("with an account")

  var options: [any OptionDeclaration] { share.options + [people] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    var details = target.details
    for who in context[self.people] {
      guard let person = try target.identity(who) else {
        throw CommandFailure.notFound("\(who) is nobody's account", hint: "\"account list\" lists them")
      }
      details.accessRequests.blocked.append(person)
    }
    let record = try target.save(details)
    try context.writeUnlessQuiet(record.object, text: "blocked \(context[self.people].joined(separator: ", "), .bold)")
  }
}

struct ShareUnblockCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "unblock", summary: "Let people ask for access again",
    examples: [.init("One person", "localcloud share unblock \"$url\" --person carol")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let people = ShareOptions.people("who is blocked")

  var options: [any OptionDeclaration] { share.options + [people] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    var details = target.details
    let people = try target.people(
      context[self.people], in: details.accessRequests.blocked, otherwise: "is not blocked from")
    details.accessRequests.blocked.removeAll { people.contains($0) }
    let record = try target.save(details)
    try context.writeUnlessQuiet(
      record.object, text: "unblocked \(context[self.people].joined(separator: ", "), .bold)")
  }
}
