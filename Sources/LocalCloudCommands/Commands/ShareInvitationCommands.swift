import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

struct ShareInviteCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "invite", summary: "Invite people to a share",
    examples: [.init("Somebody who may write", "localcloud share invite \"$url\" --person bob --permission readWrite")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let people = ShareOptions.people("to invite")
  let permission = ShareOptions.permission("what they may do; else readOnly")
  let role = ShareOptions.role

  var options: [any OptionDeclaration] { share.options + [people, permission, role] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    var details = target.details
    details.participants += try context.participants(
      context[people], permission: context[permission] ?? .readOnly, in: target.service, by: target.caller
    ).map { participant in
      var participant = participant
      if let role = context[role] { participant.role = role }
      return participant
    }
    let record = try target.save(details)
    try context.writeUnlessQuiet(
      record.object, text: "invited \(context[people].joined(separator: ", "), .bold) to \(record.id.name)")
  }
}

struct ShareRemoveCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "remove", summary: "Take people off a share's list",
    discussion: "They can see its records no more. Whoever came by a public link can come back by it.",
    examples: [.init("One person", "localcloud share remove ada --zone Contacts --person bob")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused], deletesData: true)

  let share = ShareChoice()
  let participants = ShareOptions.participants(required: true)
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { share.options + [participants, dryRun] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    let removed = Set(try target.indexes(of: context[participants]))
    var details = target.details
    details.participants = details.participants.indices.filter { !removed.contains($0) }.map {
      details.participants[$0]
    }
    if context.isDryRun {
      var record = target.record
      record.shareDetails = details
      return try context.writeDryRun(
        record.object, text: "remove \(context[participants].joined(separator: ", "), .bold) from \(record.id.name)")
    }
    let record = try target.save(details)
    try context.writeUnlessQuiet(
      record.object,
      text: "removed \(context[participants].joined(separator: ", "), .bold) from \(record.id.name)")
  }
}

struct ShareLinkCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "link", summary: "Make a link that lets in one person",
    discussion: "Whoever uses it first is the participant; nobody else can join by it.",
    examples: [
      .init("For somebody whose address is not known", "url=$(localcloud share link ada --zone Contacts)"),
      .init("Use it", "localcloud share accept \"$url\" --account bob"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let permission = ShareOptions.permission("what the person may do; else readOnly")
  let role = ShareOptions.role

  var options: [any OptionDeclaration] { share.options + [permission, role] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    var entry = target.service.sharing.participantByLink()
    entry.permission = context[permission] ?? .readOnly
    if let role = context[role] { entry.role = role }
    var details = target.details
    details.participants.append(entry)
    let saved = try target.save(details).shareDetails ?? ShareDetails()
    guard let entry = saved.participants.first(where: { $0.participantID == entry.participantID }),
      let url = saved.oneTimeURL(of: entry)
    else { throw CommandFailure.notFound("the share \(target.record.id.name) lost the entry again", hint: nil) }
    try context.writeResult(saved.object(of: entry), text: "\(url)")
  }
}

struct ShareVerifyCommand: Command {
  static let description = CommandDescription(
    "share", "verify", summary: "Say that an invited address is this account's",
    discussion: """
      Where a link is refused with participantMayNeedVerification, somebody was invited by an address or a number that no \
      account has. Adds it to the acting account; the invitation is the account's then. With the link, only what somebody \
      was invited by. Nothing is sent: the emulator takes your word.
      """,
    examples: [
      .init(
        "The address that a share was sent to",
        "localcloud share verify \"$url\" --email bob@work.example --account bob")
    ], exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  let link = OptionalArgument<String>("link", help: "the share's link; else any address can be added")
  let email = Option<String>("email", "ADDRESS", excludes: ["phone"], help: "the e-mail address")
  let phone = Option<String>("phone", "NUMBER", help: "the phone number")

  var arguments: [any ArgumentDeclaration] { [link] }
  var options: [any OptionDeclaration] { [email, phone] }

  func run(_ context: CommandContext) throws {
    guard let handle = context[email].map(LookupInfo.email) ?? context[phone].map(LookupInfo.phone)
    else { throw CommandFailure.usage("--email or --phone is missing: what is to be verified") }
    let session = try context.session()
    let link = context[self.link]
    let account = try session.service.accounts.verify(handle, url: link, by: session.caller)
    try context.writeUnlessQuiet(account.object, text: "\(handle.text, .bold) is \(account.name)'s")
    if link != nil { context.output.hint("join with: localcloud share accept LINK, or localcloud open LINK") }
  }
}

struct ShareAcceptCommand: Command {
  static let description = CommandDescription(
    "share", "accept", summary: "Join a share by its link",
    discussion: """
      The share's records are then in the shared database, in a zone of the owner's. The link says in which container: \
      none has to be named, and a link to another one than is named is refused.
      """,
    examples: [
      .init("As bob", "localcloud share accept \"$url\" --account bob"),
      .init("What came with it", "localcloud record list --database shared --zone Contacts --account bob"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  let link = Argument<String>.shareLink

  var arguments: [any ArgumentDeclaration] { [link] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    var caller = session.caller
    if session.settings.container.source == .standard {
      let request = ShareMetadataRequest(url: context[link])
      caller.container = try context.withLinkHint { () throws(ServiceError) in
        try session.service.sharing.shareMetadata(request, by: session.caller)
      }.container
    }
    let (record, ownerAccount) = try context.withLinkHint { () throws(ServiceError) in
      try session.service.sharing.joinShare(url: context[link], by: caller)
    }
    let zone = record.id.zone
    let owner = ownerName(of: zone, ownerAccount, session)
    let title = record.fields["cloudkit.title"]?.text ?? record.id.name.string
    try context.writeUnlessQuiet(record.object, text: "joined \(title, .bold): zone \(zone.name) of \(owner)")
    var words = "--database shared --zone \(ShellText.word(zone.name.string)) --owner \(owner)"
    if caller.container != session.caller.container { words += " --container \(ShellText.word(caller.container))" }
    context.output.hint("see it with: localcloud record list \(words)")
  }

  /// The name of the owner's account. No other account's file is read. The user record name stands for an account that
  /// can't be read.
  private func ownerName(of zone: ZoneIdentifier, _ account: String?, _ session: Session) -> String {
    let found = account.flatMap { try? session.service.accounts.account($0) }
    return found?.userRecordName == zone.owner ? found?.name ?? "" : zone.owner ?? ""
  }
}
