import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct ShareListCommand: Command {
  static let description = CommandDescription(
    "share", "list", summary: "List one's own shares, and those that one has joined",
    discussion: """
      --database private lists the own ones only, --database shared those of other people. With --json each share is its \
      record, and "database" says where it is.
      """,
    examples: [
      .init("All of them", "localcloud share list"),
      .init("Links alone", "localcloud share list --format jsonl | jq -r .url"),
    ],
    exitCodes: [.noStore, .refused, .storage])

  private struct Found {
    var scope: DatabaseScope
    var record: Record
    var details: ShareDetails { record.shareDetails ?? ShareDetails() }
  }

  func run(_ context: CommandContext) throws {
    let scopes = context[GlobalOptions.database].map { [$0] } ?? [.private, .shared]
    if scopes == [.public] { throw CommandFailure.usage("the public database has no shares") }
    let session = try context.session()
    var shares: [Found] = []
    var failures: [ZoneChanges.Failure] = []
    for scope in scopes { try addShares(in: scope, session, to: &shares, &failures) }
    let own = try session.service.accounts.userRecordName(by: session.caller)
    let text = ShareText(people: try People(session))
    try context.writeResult(
      list: "shares", shares.map(object), isPartial: !failures.isEmpty,
      table: Table(
        ["title", "root", "zone", "role", "people", "link"], rows: shares.map { row($0, of: own, text) }))
    try ZoneWalk.check(failures, beside: shares.count)
  }

  /// Default zones have no shares.
  private func addShares(
    in scope: DatabaseScope, _ session: Session, to shares: inout [Found], _ failures: inout [ZoneChanges.Failure]
  ) throws {
    for zone in try session.service.zones.list(nil, in: scope, by: session.caller).map({ try $0.get().id })
    where zone.name != ZoneIdentifier.defaultName {
      var request = ListRecordsRequest(scope: scope, zone: zone, type: Record.shareType)
      repeat {
        let page = try session.service.records.listRecords(request, by: session.caller)
        shares += page.records.map { Found(scope: scope, record: $0) }
        failures += page.failed
        request.after = page.next
      } while request.after != nil
    }
  }

  private func object(_ share: Found) -> JSONValue {
    var object = share.record.object
    object["database"] = .string(share.scope.name)
    return .object(object)
  }

  private func row(_ share: Found, of own: String, _ text: ShareText) -> [String] {
    let participants = share.details.participants
    let isOwn: (Participant) -> Bool = { $0.identity.userRecordName == own }
    let role: ParticipantRole = share.scope == .private ? .owner : participants.first(where: isOwn)?.role ?? .unknown
    return [
      share.record.fields["cloudkit.title"]?.text ?? "", share.details.root?.string ?? "",
      RecordText(people: text.people).zoneName(share.record.id.zone), role.text,
      participants.filter { !isOwn($0) }.map { text.name(of: $0) }.joined(separator: ", "), share.details.url ?? "",
    ]
  }
}
