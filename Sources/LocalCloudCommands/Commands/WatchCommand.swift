import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct WatchCommand: Command {
  static let description = CommandDescription(
    "watch", summary: "Show changes as they happen",
    discussion: """
      Prints a line for each record that is saved or deleted, and for each new or deleted zone, from now on, until it is \
      interrupted. Without a zone it watches the private and the shared database of the account, or the one that \
      --database names; with --all the private databases of all accounts, in all containers. Default zones and the public \
      database keep no changes. With --json each line is a JSON object. Of several changes of one record that follow each \
      other fast, only the last may be shown. --since takes a token of "changes": of a zone, or without one of the \
      database; then each zone that has changed since is shown with all of its records. After "snapshot restore" it goes \
      on in the restored cloud, and shows each zone that is another now with all of its records.
      """,
    examples: [
      .init("Everything of alice, in a terminal of its own", "localcloud watch --account alice"),
      .init("One zone, as JSON", "localcloud watch Notes --json | jq -r .recordName"),
      .init("All accounts, for a minute", "localcloud watch --all --for 60"),
      .init("The next change", "localcloud watch Notes --count 1"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .tryLater, .interrupted, .terminated])

  let zone = OptionalArgument<String>("zone", help: "the zone; else whole databases")
  let owner = ZoneOptions.owner
  let all = Flag("all", excludes: ["since", "owner"], help: "all accounts, in all containers")
  let since = Option<String>("since", "TOKEN", help: "begin behind this token of \"changes\"")
  let count = Option<Int>("count", "COUNT", .wholeNumber(in: 1...Int.max), help: "end after so many changes")
  let time = Option<Double>("for", "SECONDS", .seconds, help: "end after so long")

  var arguments: [any ArgumentDeclaration] { [zone] }
  var options: [any OptionDeclaration] { [owner, all, since, count, time] }

  func run(_ context: CommandContext) throws {
    if context[all], context[zone] != nil || context.isGiven(GlobalOptions.database) {
      throw CommandFailure.usage("--all watches neither a single zone nor a single database")
    }
    let lastingSession = try context.lastingSession(as: context[all] ? .administrator : .command)
    var followers: [ChangeFollower] = []
    var left = context[count] ?? .max
    var isWatching = false
    var people = try People(lastingSession.current)
    lastingSession.replaced = { session in
      context.noteReplacement()
      people = try People(session)
      if !isWatching { followers = [] }
      for index in followers.indices { followers[index].goOn(in: session.service) }
      // Accounts that the restored cloud does not have.
      if context[all] { followers.removeAll { !isUsable($0.caller, session.service) } }
    }
    _ = try context.interruptible(lastingSession) { wait in
      try wait.run(in: lastingSession, seconds: context[time] ?? .infinity) { () throws -> WatchedFolders in
        let session = lastingSession.current
        if followers.isEmpty || context[all] { try add(to: &followers, isFirst: !isWatching, session, context) }
        let lists = context[all] ? [[Account.folder], ["containers"]] : []
        return try followers.reduce(session.service.cloud.watchedFolders(at: lists)) { folders, follower in
          try folders + session.service.watchedFolders(of: [follower.part], by: follower.caller)
        }
      } until: { () throws -> Void? in
        let session = lastingSession.current
        if !isWatching { context.output.notice("watching \(Self.text(followers))") }
        isWatching = true
        for index in followers.indices {
          let follower = followers[index]
          try followers[index].forEachChange { change, zone in
            if left == 0 { return }
            left -= 1
            let line = WatchLine(change, zone, follower, try session.service.settings.clock())
            if !people.knows(line.user) { people = try People(session) }
            try context.writeResult(
              event: line.document(people), cells: line.cells(people),
              text: line.text(people, showsAccount: context[all]))
          }
        }
        return left > 0 ? nil : ()
      }
    }
  }

  /// Adds the followers of databases that are not followed yet. Those that are there at first are followed from now on,
  /// the others from their beginning.
  private func add(
    to followers: inout [ChangeFollower], isFirst: Bool, _ session: Session, _ context: CommandContext
  ) throws {
    let service = session.service
    guard context[all] else {
      let since = context[since]
      if context[zone] != nil || context.isGiven(owner) {
        let target = try AwaitedZone(context[zone], owner: context[owner], context).target()
        followers.append(try ChangeFollower(service, session.caller, target.scope, zone: target.zone, since: since))
        return
      }
      let isOne = since != nil || context.isGiven(GlobalOptions.database)
      for scope in isOne ? [context.scope()] : [.private, .shared] {
        followers.append(try ChangeFollower(service, session.caller, scope, since: since))
      }
      return
    }
    let accounts = try service.accounts.listAccounts().accounts
    for container in try service.cloud.containers() {
      for account in accounts {
        let caller = Caller(
          account: account.name, container: container.string, environment: session.caller.environment)
        if followers.contains(where: { $0.caller == caller }) { continue }
        // An account that can't be used now is followed once it can.
        guard isUsable(caller, service) else { continue }
        followers.append(
          try isFirst ? ChangeFollower(service, caller, .private) : ChangeFollower(new: service, caller, .private))
      }
    }
  }

  private func isUsable(_ caller: Caller, _ service: CloudService) -> Bool {
    (try? service.accounts.userRecordName(by: caller)) != nil
  }

  private static func text(_ followers: [ChangeFollower]) -> String {
    let names = followers.map { "\($0.caller.account ?? "nobody")'s \($0.scope.name) database" }
    return names.count > 3 ? "\(names.count) databases" : names.joined(separator: ", ")
  }
}

/// A line of `watch`: one change.
private struct WatchLine {
  private let word: String
  private let zone: ZoneIdentifier
  private let record: ExactName?
  private let type: String?
  private let tag: String?
  private let time: Int64
  private let scope: DatabaseScope
  private let caller: Caller
  /// The user record name of the user that changed a record; nil if the cloud does not store it.
  let user: String?

  init(_ change: ChangeFollower.Change, _ zone: ZoneIdentifier, _ follower: ChangeFollower, _ now: Int64) {
    (self.zone, scope, caller) = (zone, follower.scope, follower.caller)
    switch change {
    case .zoneSaved: (word, record, type, tag, time, user) = ("zone saved", nil, nil, nil, now, nil)
    case .zoneDeleted(let deletion):
      (word, record, type, tag, time, user) = ("zone \(deletion.reason.rawValue)", nil, nil, nil, now, nil)
    case .record(.saved(let saved)):
      (word, record, type, tag) = ("saved", saved.id.name, saved.type, saved.changeTag)
      (time, user) = (saved.modified.timestamp, saved.modified.userRecordName)
    case .record(.deleted(let deletion)):
      (word, record, type, tag, time, user) = ("deleted", deletion.record.name, deletion.type, nil, now, nil)
    case .failed(let failure):
      (word, record, type, tag, time, user) = ("unreadable", failure.record.name, nil, nil, now, nil)
    }
  }

  func document(_ people: People) -> JSONObject {
    var document: JSONObject = [
      "change": .string(word), "containerIdentifier": .string(caller.container), "database": .string(scope.name),
      "time": .string(Timestamp.text(milliseconds: time)), "zoneID": .object(zone.object),
    ]
    document["account"] = caller.account.map { .string($0) }
    document["by"] = user.map { .string(people.name(of: $0)) }
    document["recordName"] = record.map { .string($0.string) }
    document["recordType"] = type.map { .string($0) }
    document["recordChangeTag"] = tag.map { .string($0) }
    return document
  }

  /// Time, change, container, account, database, zone, record, type and user.
  func cells(_ people: People) -> [String] {
    [
      Timestamp.text(milliseconds: time), word, caller.container, caller.account ?? "", scope.name,
      RecordText(people: people).zoneName(zone), record?.string ?? "", type ?? "", user.map(people.name(of:)) ?? "",
    ]
  }

  func text(_ people: People, showsAccount: Bool) -> StyledText {
    let database = showsAccount ? "\(caller.container) \(caller.account ?? "")" : scope.name
    let zoneName = scope == .shared ? RecordText(people: people).zoneName(zone) : zone.name.string
    var text: StyledText = "\(Timestamp.text(milliseconds: time), .dim)  \(word)  \(database)  \(zoneName)"
    if let record { text.append("  \(record, .bold)" as StyledText) }
    if let type { text.append("  \(type)" as StyledText) }
    if let user { text.append("  by \(people.name(of: user))" as StyledText) }
    return text
  }
}

extension People {
  /// Whether the name of the user's account is known; true for no user.
  fileprivate func knows(_ userRecordName: String?) -> Bool { userRecordName.map { account($0) != nil } ?? true }
}
