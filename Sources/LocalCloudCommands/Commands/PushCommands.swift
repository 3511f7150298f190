import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct PushListCommand: Command {
  static let description = CommandDescription(
    "push", "list", summary: "List the pushes that came to this device",
    discussion: """
      Taken are those that a program got; the others wait for the next one that listens. See LocalCloud.onPush.
      """,
    examples: [
      .init("On bob's device", "localcloud push list --account bob"),
      .init("What waits", "localcloud push list --waiting"),
      .init("The dictionaries alone", "localcloud push list --json | jq '.pushes[].userInfo'"),
    ],
    exitCodes: [.noStore, .refused])

  let waiting = Flag("waiting", help: "only those that no program got yet")

  var options: [any OptionDeclaration] { [waiting] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let (all, taken) = try session.service.pushes.list(by: session.caller)
    let pushes = context[waiting] ? all.filter { $0.sequence > taken } : all
    let text = PushText(people: try People(session))
    try context.writeResult(
      list: "pushes", pushes.map { .object($0.document(taken: taken)) }, table: text.table(pushes, taken: taken))
  }
}

extension DeliveredPush {
  /// The push's line in the log, and whether a program has taken it.
  func document(taken: Int64) -> JSONObject {
    var document = object
    document["taken"] = .bool(sequence <= taken)
    return document
  }
}

struct PushWatchCommand: Command {
  static let description = CommandDescription(
    "push", "watch", summary: "Show pushes as they come to this device",
    discussion: """
      Prints a line for each push from now on, until it is interrupted, and takes none away from the programs that listen. \
      With --json each line is a JSON object.
      """,
    examples: [
      .init("On bob's device, in a terminal of its own", "localcloud push watch --account bob"),
      .init("Wait for one, at most 10 seconds", "localcloud push watch --count 1 --timeout 10"),
      .init("Those that came before, too", "localcloud push watch --since 0"),
    ],
    exitCodes: [.noStore, .refused, .timedOut, .interrupted, .terminated])

  let count = Option<Int>("count", "COUNT", .wholeNumber(in: 1...Int.max), help: "end after so many pushes")
  let timeout = Option<Double>(
    "timeout", "SECONDS", .seconds, help: "end after so long; with --count, with status 124 if fewer came")
  let since = Option<Int>(
    "since", "PUSH", .wholeNumber(), help: "begin behind this push; 0: with the first there is")

  var options: [any OptionDeclaration] { [count, timeout, since] }

  func run(_ context: CommandContext) throws {
    let session = try context.lastingSession()
    let pushes = try FollowedPushes(session, since: context[since], context)
    var left = context[count] ?? .max
    let text = PushText(people: try People(session.current))
    var isWatching = false
    let outcome = try context.interruptible(session) { wait in
      try wait.run(in: session, seconds: context[timeout] ?? .infinity) {
        try session.current.service.watchedFolders(of: [.pushes], by: session.current.caller)
      } checkingAgainAfter: {
        pushes.secondsToNext
      } until: { () throws -> Void? in
        if !isWatching { context.output.notice("watching \(session.current.deviceName, .bold)") }
        isWatching = true
        if left == 0 { return () }
        try pushes.forEachNew { push in
          try context.writeResult(event: push.object, cells: text.cells(push), text: text.line(push))
          left -= 1
          return left > 0
        }
        return left > 0 ? nil : ()
      }
    }
    if case .timedOut = outcome, context.isGiven(count) { throw SilentExit(.timedOut) }
  }
}

/// The pushes that come to the caller's device after a position, also after another cloud has replaced the present one.
final class FollowedPushes {
  private var location: PushService.PushLocation
  private var position: Int64
  /// Seconds until the next push that a fault rule holds back is due; infinity if there is none.
  private(set) var secondsToNext = Double.infinity
  /// The hash values of the pushes that were read, by sequence. A restored log uses the sequences after the snapshot
  /// once more, for pushes of other commits.
  private var known: [Int64: Int] = [:]

  /// - Parameter since: the sequence of the last push to pass over; nil: pushes from now on.
  init(_ session: LastingSession, since: Int?, _ context: CommandContext) throws {
    let location = try Self.location(session.current)
    self.location = location
    position = try since.map { Int64($0) } ?? location.log.end()
    try location.forEach(after: 0) { push in
      known[push.sequence] = push.hashValue
      return true
    }
    session.replaced = { [self] next in
      context.noteReplacement()
      try goOn(in: Self.location(next))
    }
  }

  /// Goes on behind the last push that the log of the restored cloud has in common with the log before.
  private func goOn(in restored: PushService.PushLocation) throws {
    location = restored
    var common: Int64 = 0
    try location.forEach(after: 0) { push in
      guard known[push.sequence] == push.hashValue else { return false }
      common = push.sequence
      return true
    }
    position = min(position, common)
  }

  private static func location(_ session: Session) throws(ServiceError) -> PushService.PushLocation {
    try session.service.pushes.openPushLocation(by: session.caller)
  }

  /// Calls `body` with the pushes since the last call, until it returns false.
  func forEachNew(_ body: (DeliveredPush) throws -> Bool) throws {
    secondsToNext = try location.deliverDue()
    try location.forEach(after: position) { push in
      position = push.sequence
      known[push.sequence] = push.hashValue
      return try body(push)
    }
  }
}

struct PushReplayCommand: Command {
  static let description = CommandDescription(
    "push", "replay", summary: "Hand pushes out once more",
    discussion: """
      Each is put behind all others on this device, as it was; the program that listens gets it again, and "push watch" \
      shows it again.
      """,
    examples: [.init("The push 3", "localcloud push replay 3 --account bob")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  let pushes = ArgumentList<Int64>("push", .pushNumber, help: "the pushes' numbers, as \"push list\" shows them")

  var arguments: [any ArgumentDeclaration] { [pushes] }

  func run(_ context: CommandContext) throws {
    let numbers = context[self.pushes]
    let session = try context.session()
    let pushes = try session.service.pushes.repeatPushes(numbers, by: session.caller)
    try context.writeUnlessQuiet(
      ["pushes": .array(pushes.map { .object($0.object) })],
      text: "handed out again: \(numbers.map { "\($0)" }.joined(separator: ", "), .bold)")
  }
}

struct PushReleaseCommand: Command {
  static let description = CommandDescription(
    "push", "release", summary: "Deliver the pushes to this device that fault rules hold back",
    discussion: """
      Late and reordered pushes come now, behind all others, whatever their rules say; see "fault add".
      """,
    examples: [.init("On bob's phone", "localcloud push release --account bob --device phone")],
    exitCodes: [.failure, .noStore, .locked, .refused, .storage])

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let count = try session.service.pushes.releasePushes(by: session.caller)
    try context.writeUnlessQuiet(
      ["releasedCount": .integer(Int64(count))], text: "delivered \(count.counted("push"))")
  }
}

extension ValueType<Int64> {
  fileprivate static var pushNumber: ValueType {
    ValueType { text in
      Int64(text).flatMap { $0 > 0 ? $0 : nil }
    } reason: { _ in
      "is no push's number"
    }
  }
}
