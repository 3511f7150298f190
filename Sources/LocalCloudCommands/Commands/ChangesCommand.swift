import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct ChangesCommand: Command {
  static let description = CommandDescription(
    "changes", summary: "Show what changed since a token",
    discussion: """
      Without --zone: which zones of the database changed. With --zone: which of its records. Without --since \
      everything counts as changed. The token that is printed last is where the next call starts. A record that \
      changes while it is being listed may be listed again, in its new state.
      """,
    examples: [
      .init("Zones of mine", "localcloud changes"),
      .init("What happened in a zone since then", "localcloud changes --zone Contacts --since \"$token\""),
      .init("Only the token of now", "token=$(localcloud changes --zone Contacts --json | jq -r .token)"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused])

  let zone = ZoneOptions.zoneName("the zone; else the whole database")
  let owner = ZoneOptions.owner
  let since = Option<String>(
    "since", "TOKEN", aliases: ["continuation-token"], help: "a token from an earlier call")
  let limit = QueryOptions.limit("so many changes at most")

  var options: [any OptionDeclaration] { [zone, owner, since, limit] }

  func run(_ context: CommandContext) throws {
    if !context.isGiven(zone) && !context.isGiven(owner) {
      try showDatabase(context)
    } else {
      try showZone(context)
    }
  }

  // MARK: A zone

  private func showZone(_ context: CommandContext) throws {
    let target = try context.zoneTarget(named: context[zone], owner: context[owner])
    var walk = ZoneWalk(target, since: context[since], limit: context[limit] ?? .max)
    let people = try People(target.session)
    // Only with a limit, more may be coming at the end.
    var list = ListWriter(context, "records", head: ["moreComing": false], isHeld: context.isGiven(limit))
    while let page = try walk.next() {
      try list.write(
        page.map { .object($0.object) },
        table: Table(["change", "record", "type", "modified", "by", "tag"], rows: page.map { $0.row(people) }))
    }
    try finish(
      &list, context, token: walk.token, moreComing: walk.moreComing, isPartial: !walk.failures.isEmpty)
    try walk.check()
  }

  // MARK: A database

  private func showDatabase(_ context: CommandContext) throws {
    let session = try context.session()
    let limit = context[self.limit] ?? .max
    var request = DatabaseChangesRequest(scope: context.scope(), since: context[since])
    var changes = DatabaseChanges(changed: [], deleted: [], token: "", moreComing: true)
    while changes.moreComing && changes.changed.count + changes.deleted.count < limit {
      request.limit = min(limit - changes.changed.count - changes.deleted.count, 400)
      let page = try session.service.feeds.databaseChanges(request, by: session.caller)
      changes.changed += page.changed
      changes.deleted += page.deleted
      (changes.token, changes.moreComing) = (page.token, page.moreComing)
      request.since = page.token
    }
    let items =
      changes.changed.map { JSONValue.object(["zoneID": .object($0.object)]) }
      + changes.deleted.map { deletion in
        ["deleted": true, "reason": .string(deletion.reason.rawValue), "zoneID": .object(deletion.zone.object)]
      }
    let people = try People(session)
    let rows =
      changes.changed.map { ["changed", $0.name.string, people.name(of: $0.owner)] }
      + changes.deleted.map { [$0.reason.rawValue, $0.zone.name.string, people.name(of: $0.zone.owner)] }
    var list = ListWriter(context, "zones", isHeld: true)
    try list.write(items, table: Table(["change", "zone", "owner"], rows: rows))
    try finish(&list, context, token: changes.token, moreComing: changes.moreComing)
  }

  // MARK: Both

  private func finish(
    _ list: inout ListWriter, _ context: CommandContext, token: String, moreComing: Bool, isPartial: Bool = false
  ) throws {
    let position: JSONObject = ["moreComing": .bool(moreComing), "token": .string(token)]
    switch context.format {
    case .json:
      try list.finish(position, isPartial: isPartial)
    case .jsonl:
      try list.write([.object(position)], table: Table([]))
    case .tsv:
      try list.finish(isPartial: isPartial)
      context.output.notice("token \(token)")
    case .table:
      var text: StyledText = list.count > 0 || isPartial ? "" : "no changes\n"
      if moreComing { text.append("more to come\n" as StyledText) }
      try context.output.write(text + "token \(token)\n")
    }
  }
}

extension ZoneWalk.Change {
  fileprivate var object: JSONObject {
    switch self {
    case .saved(let record):
      record.object
    case .deleted(let deletion):
      deletion.object
    }
  }

  fileprivate func row(_ people: People) -> [String] {
    switch self {
    case .saved(let record):
      [
        "saved", record.id.name.string, record.type, Timestamp.text(milliseconds: record.modified.timestamp),
        people.name(of: record.modified.userRecordName), record.changeTag,
      ]
    case .deleted(let deletion):
      ["deleted", deletion.record.name.string, deletion.type]
    }
  }
}
