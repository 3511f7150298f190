import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct ShareCreateCommand: Command {
  static let description = CommandDescription(
    "share", "create", summary: "Share a record and all below it, or a whole zone",
    discussion: """
      Shares the record, its children by parent, and theirs; without a record, all that is in the zone. The result is \
      the share's link; who is invited, or whoever has the link if --public-permission allows it, joins with share accept.
      """,
    examples: [
      .init(
        "With one person, who may write",
        "localcloud share create ada --zone Contacts --person bob --permission readWrite"),
      .init("A whole zone", "localcloud share create --zone Contacts --person bob"),
      .init(
        "With whoever has the link", "url=$(localcloud share create ada --zone Contacts --public-permission readOnly)"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let root = OptionalArgument<String>(
    "root", completes: .record, help: "the record name of the root; else the whole zone is shared")
  let zone = ZoneOptions()
  let title = ShareOptions.title
  let publicPermission = ShareOptions.publicPermission
  let people = ShareOptions.people("to invite", required: false)
  let permission = ShareOptions.permission("what those invited may do; else readOnly")
  let shareName = Option<String>(
    "share-name", "NAME", help: "the share's own record name; else Share- and a UUID (a zone's has its own)")

  var arguments: [any ArgumentDeclaration] { [root] }
  var options: [any OptionDeclaration] {
    zone.options + [title, publicPermission, people, permission, shareName]
  }

  func run(_ context: CommandContext) throws {
    if context[root] == nil, !context.isGiven(zone.zone) {
      throw CommandFailure.usage("<root> is missing", hint: "to share a whole zone, add --zone NAME")
    }
    let target = try zone.target(context)
    let root = try context[self.root].map { try target.fetch(ExactName($0)) }
    let people = try context.participants(
      context[self.people], permission: context[permission] ?? .readOnly, in: target.service, by: target.caller)
    let name = try name(in: target, isZoneWide: root == nil, context)
    let share = RecordSave(
      id: RecordIdentifier(name: name, zone: target.zone), type: Record.shareType,
      fields: ShareOptions.fields(title: context[title]),
      share: ShareSave(root: root?.id.name, publicPermission: context[publicPermission] ?? .none, participants: people))
    let save = root.map { root in
      RecordSave(
        id: RecordIdentifier(name: root.id.name, zone: target.zone), type: root.type, changeTag: root.changeTag)
    }
    let request = ModifyRecordsRequest(scope: target.scope, saves: [save, share].compactMap { $0 })
    // The share's result is examined first: if the share is refused, the root fails only because of it.
    let results = try context.modifyShare(share.id, request, in: target.service, by: target.caller).saves.reversed().map
    {
      try $0.get()
    }
    let record = results[0]
    try context.writeResult(record.object, text: "\(record.shareDetails?.url ?? "")")
    let what = root.map { $0.id.name } ?? target.zone.name
    context.output.notice("shared \(root == nil ? "the zone " : "")\(what, .bold) as \(record.id.name)")
    if people.isEmpty && record.shareDetails?.publicPermission == SharePermission.none {
      context.output.hint("nobody is invited yet: localcloud share invite LINK --person WHO")
    }
  }

  /// The share's record name. A zone-wide share always has the same name.
  private func name(in target: ZoneTarget, isZoneWide: Bool, _ context: CommandContext) throws -> ExactName {
    let chosen = context[shareName]
    guard isZoneWide else { return ExactName(chosen ?? "Share-\(target.session.newRecordName())") }
    if chosen != nil {
      throw CommandFailure.usage("--share-name names the share of a record", hint: "name the record to share")
    }
    return Record.zoneWideShareName
  }
}

struct ShareShowCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "show", summary: "Show a share and its participants",
    discussion: "By its link also whoever is only invited can see it.",
    examples: [
      .init("By the record that is shared", "localcloud share show ada --zone Contacts"),
      .init("Its link", "localcloud share show ada --zone Contacts --json | jq -r .url"),
    ], exitCodes: [.noStore, .notFound, .refused])

  let share = ShareChoice()

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    let text = ShareText(people: try People(target.session))
    try context.writeResult(
      target.record.object, table: text.participants(target.details), text: text.details(target.record))
  }
}

struct ShareSetCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "set", summary: "Change a share's title, what people may do, or whether others may ask to be let in",
    examples: [
      .init("Let somebody write", "localcloud share set ada --zone Contacts --person bob --permission readWrite"),
      .init("Close it to strangers", "localcloud share set \"$url\" --public-permission none"),
      .init("Let people ask", "localcloud share set \"$url\" --access-requests allowed"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  let share = ShareChoice()
  let title = ShareOptions.title
  let publicPermission = ShareOptions.publicPermission
  let participants = ShareOptions.participants()
  let permission = ShareOptions.permission("what the participants named may do")
  let role = ShareOptions.role
  let accessRequests = Option<Bool>(
    "access-requests", "WHETHER", .words(["allowed": true, "refused": false]),
    help: "whether people who are not invited may ask for access")

  var options: [any OptionDeclaration] {
    share.options + [title, publicPermission, participants, permission, role, accessRequests]
  }

  func run(_ context: CommandContext) throws {
    let participants = context[self.participants]
    guard participants.isEmpty == (!context.isGiven(permission) && !context.isGiven(role)) else {
      throw CommandFailure.usage("--person belongs together with --permission or --role")
    }
    let changes: [any OptionDeclaration] = [permission, role, publicPermission, title, accessRequests]
    guard changes.contains(where: context.isGiven) else {
      throw CommandFailure.usage("nothing to change was named")
    }
    let target = try share.target(context)
    var details = target.details
    if let permission = context[publicPermission] { details.setPublicPermission(permission) }
    for index in try target.indexes(of: participants) {
      if let permission = context[permission] { details.participants[index].permission = permission }
      if let role = context[role] { details.participants[index].role = role }
    }
    if let areAllowed = context[accessRequests] { details.accessRequests.areAllowed = areAllowed }
    let record = try target.save(details, fields: ShareOptions.fields(title: context[title]))
    try context.writeUnlessQuiet(record.object, text: "changed share \(record.id.name, .bold)")
  }
}

struct ShareStopCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "stop", summary: "End a share of one's own",
    discussion: "The records stay; all participants lose sight of them, and the link leads nowhere.",
    examples: [.init("By the record that is shared", "localcloud share stop ada --zone Contacts")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused], deletesData: true)

  let share = ShareChoice()
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { share.options + [dryRun] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context)
    if target.scope == .shared {
      throw CommandFailure.usage(
        "the share \(target.record.id.name) is somebody else's", hint: "\"share leave\" leaves it")
    }
    if context.isDryRun {
      return try context.writeDryRun(target.deletion, text: "stop sharing \(target.rootName, .bold)")
    }
    try target.delete()
    try context.writeUnlessQuiet(target.deletion, text: "stopped sharing \(target.rootName, .bold)")
  }
}

struct ShareLeaveCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "leave", summary: "Leave somebody else's share",
    discussion: "Looks for the share in the shared database. \"zone delete --database shared\" leaves all of a zone.",
    examples: [.init("By its link", "localcloud share leave \"$url\" --account bob")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused], deletesData: true)

  let share = ShareChoice()
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { share.options + [dryRun] }

  func run(_ context: CommandContext) throws {
    let target = try share.target(context, standard: .shared)
    if target.scope != .shared {
      throw CommandFailure.usage(
        "the share \(target.record.id.name) is this account's own", hint: "\"share stop\" ends it")
    }
    if context.isDryRun {
      return try context.writeDryRun(target.deletion, text: "leave the share of \(target.rootName, .bold)")
    }
    try target.delete()
    try context.writeUnlessQuiet(target.deletion, text: "left the share of \(target.rootName, .bold)")
  }
}

struct ShareManageCommand: ShareCommand {
  static let description = CommandDescription(
    "share", "manage", summary: "Work on a share by a menu, at a terminal",
    discussion: """
      Shows the share's participants and asks what to do: invite, change what somebody may do, remove, open to whoever has \
      the link, stop or leave. Each does what the command of that name does. It needs a terminal; scripts use those.
      """,
    examples: [.init("A record's share", "localcloud share manage ada --zone Contacts")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .interrupted])

  let share = ShareChoice()

  func run(_ context: CommandContext) throws {
    guard context.mayAsk else {
      throw CommandFailure(
        .usage, code: "terminalNeeded", "\"share manage\" asks questions, and here is nobody to answer them",
        hint: "use \"share show\", \"invite\", \"set\", \"remove\", \"stop\" and \"leave\"")
    }
    let target = try share.target(context)
    guard let link = target.details.url else {
      throw CommandFailure.notFound(
        "the share \(target.record.id.name) has no link", hint: "\"check\" says what is wrong")
    }
    try ShareMenu(context: context, link: link).run()
  }
}

/// Options that several share commands have in common.
enum ShareOptions {
  static let title = Option<String>("title", "TITLE", help: "what people read when they are invited")
  static let publicPermission = Option<SharePermission>(
    "public-permission", "PERMISSION", .values(SharePermission.publicCases, by: \.text),
    help: "what everybody with the link may do: none, readOnly or readWrite")
  static let role = Option<ParticipantRole>(
    "role", "ROLE", .words(["administrator": .administrator, "participant": .privateUser]),
    help: "administrator: they may change the list and the share's title, too")

  static func permission(_ help: String) -> Option<SharePermission> {
    Option("permission", "PERMISSION", .values(SharePermission.privateCases, by: \.text), help: help)
  }

  static func participants(required: Bool = false) -> OptionList<String> {
    people("on the list", formsOfName: "an address, a number, an account or a participant ID", required: required)
  }

  /// The option that names people, with one name in all commands. Scripts may use its former names.
  static func people(
    _ which: String, formsOfName: String = "an e-mail address, a phone number or an account", required: Bool = true
  ) -> OptionList<String> {
    OptionList(
      "person", "WHO", aliases: ["with", "to", "participant"], required: required, completes: .account,
      help: "somebody \(which): \(formsOfName)")
  }

  /// The title as a field of the share; an empty title removes the field.
  static func fields(title: String?) -> [String: FieldValue?] {
    guard let title else { return [:] }
    let value: FieldValue? = title.isEmpty ? nil : .string(title)
    return ["cloudkit.title": value]
  }
}
