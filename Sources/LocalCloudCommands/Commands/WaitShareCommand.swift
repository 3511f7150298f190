import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct WaitShareCommand: Command {
  static let description = CommandDescription(
    "wait", "share", summary: "Wait until somebody is invited to a share, or has accepted it",
    discussion: """
      The share is named as for "share show": by its link, its record name or the record name of its root; for the share \
      of a whole zone, by --zone alone. Unless it is named by its link, it need not exist yet. Prints the share as \
      "share show" does.
      """,
    examples: [
      .init("Until bob has joined", "localcloud wait share milk --zone Notes --accepted-by bob"),
      .init("By its link, until he is invited", "localcloud wait share \"$url\" --participant bob@example.com"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .tryLater, .timedOut, .interrupted, .terminated])

  let share = ShareChoice()
  let acceptedBy = Option<String>(
    "accepted-by", "WHO", excludes: ["participant"],
    help: "until this person has accepted: an address, a number, an account or a participant ID")
  let participant = Option<String>("participant", "WHO", help: "until this person is on the list")
  let limit = WaitOptions()

  var arguments: [any ArgumentDeclaration] { [share.share] }
  var options: [any OptionDeclaration] { share.options + [acceptedBy, participant] + limit.options }

  func run(_ context: CommandContext) throws {
    guard let who = context[acceptedBy] ?? context[participant] else {
      throw CommandFailure.usage("--accepted-by or --participant is missing")
    }
    try share.requireName(context)
    let found = try share.link(context).map { try waitByLink($0, who, context) } ?? waitInZone(who, context)
    let people = try People(found.session)
    try context.writeResult(found.record.object, text: ShareText(people: people).details(found.record))
  }

  /// The link leads to the share's zone. A link that leads nowhere is not waited for.
  private func waitByLink(_ link: String, _ who: String, _ context: CommandContext) throws -> ShareTarget {
    let session = try context.lastingSession()
    let first = try context.shareTarget(link: link, in: session.current)
    let part = WatchedPart.zone(first.record.id.zone, first.scope)
    return try limit.wait(context, session) {
      try session.current.service.watchedFolders(of: [part], by: first.caller)
    } until: { () throws -> Look<ShareTarget> in
      try look(context.shareTarget(link: link, in: session.current), who, context)
    }
  }

  private func waitInZone(_ who: String, _ context: CommandContext) throws -> ShareTarget {
    let zone = try AwaitedZone(share.zone, context)
    return try limit.wait(context, zone.lastingSession, watching: zone.watchedFolders) {
      try Look { try look(share.target(in: zone.target(), context), who, context) }
    }
  }

  private func look(_ target: ShareTarget, _ who: String, _ context: CommandContext) throws -> Look<ShareTarget> {
    try Look {
      guard let index = try target.indexes(of: [who]).first else { return .unmet("\(who) is not on the list") }
      let acceptance = target.details.participants[index].acceptance
      if !context.isGiven(acceptedBy) || acceptance == .accepted { return .met(target) }
      return .unmet("\(who) is on the list of the share \(target.record.id.name), but \(acceptance.text)")
    }
  }
}

struct WaitPushCommand: Command {
  static let description = CommandDescription(
    "wait", "push", summary: "Wait for a push to this device",
    discussion: """
      Prints the first push that comes from now on, and takes none away from the programs that listen. With --since 0 \
      the first that is there counts, too.
      """,
    examples: [
      .init("On bob's device", "localcloud wait push --account bob"),
      .init("Of one subscription", "localcloud wait push --subscription notes --device phone"),
    ],
    exitCodes: [.failure, .noStore, .refused, .timedOut, .interrupted, .terminated])

  let subscription = Option<String>("subscription", "ID", help: "only of this subscription")
  let since = Option<Int>("since", "PUSH", .wholeNumber(), help: "begin behind this push; 0: with the first there is")
  let limit = WaitOptions()

  var options: [any OptionDeclaration] { [subscription, since] + limit.options }

  func run(_ context: CommandContext) throws {
    let session = try context.lastingSession()
    let pushes = try FollowedPushes(session, since: context[since], context)
    let wanted = context[subscription]
    let push = try limit.wait(context, session) {
      try session.current.service.watchedFolders(of: [.pushes], by: session.current.caller)
    } checkingAgainAfter: {
      pushes.secondsToNext
    } until: { () throws -> Look<DeliveredPush> in
      var found: DeliveredPush?
      try pushes.forEachNew { push in
        if wanted == nil || push.subscriptionID == wanted { found = push }
        return found == nil
      }
      if let found { return .met(found) }
      return .unmet("no push \(wanted.map { "of \($0) " } ?? "")came to \(session.current.deviceName)")
    }
    try context.writeResult(push.object, text: PushText(people: try People(session.current)).line(push))
  }
}

struct WaitQuietCommand: Command {
  static let description = CommandDescription(
    "wait", "quiet", summary: "Wait until nobody has written for some time",
    discussion: """
      Ends once no account has changed a database of the container for so many seconds, in the environment of the \
      command. A change that is refused may count. The end of a sequence of events that a script can't name is found so; \
      where it can, another wait is faster and surer. A --timeout shorter than --for can't succeed.
      """,
    examples: [.init("Until half a second has been quiet", "localcloud wait quiet --for 0.5 --timeout 20")],
    exitCodes: [.failure, .noStore, .refused, .timedOut, .interrupted, .terminated])

  let quiet = RequiredOption<Double>("for", "SECONDS", .seconds, help: "how long nothing must be written")
  let limit = WaitOptions()

  var options: [any OptionDeclaration] { [quiet] + limit.options }

  func run(_ context: CommandContext) throws {
    let quiet = context[self.quiet]
    guard limit.seconds(context) >= quiet else {
      throw CommandFailure.usage("--timeout must not be shorter than --for, which is \(quiet.secondsText) s")
    }
    let session = try context.lastingSession()
    try limit.waitUntilQuiet(context, session, for: quiet) {
      try session.current.service.watchedFolders(of: [.container], by: session.current.caller)
    }
    try context.writeUnlessQuiet(
      ["quiet": .double(quiet)], text: "nothing was written for \(quiet.secondsText) s")
  }
}
