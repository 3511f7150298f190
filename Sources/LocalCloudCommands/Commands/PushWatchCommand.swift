import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore

package enum PushWatchCommand: Command {
  package static let description = CommandDescription(
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
    options: [
      .value("count", "COUNT", check: ValueCheck.wholeNumber(in: 1...Int.max), help: "end after so many pushes"),
      .value(
        "timeout", "SECONDS", check: ValueCheck.seconds,
        help: "end after so long; with --count, with status 124 if fewer came"),
      .value(
        "since", "PUSH", check: ValueCheck.wholeNumber(),
        help: "begin behind this push; 0: with the first there is"),
    ],
    exitCodes: [.noStore, .refused, .timedOut, .interrupted, .terminated])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let pushes = try session.service.pushes.openPushLocation(by: session.caller)
    let watch = try pushes.cursor.watch()
    let interrupts = try Interrupts { watch.stop() }
    var position = try context.integer("since").map { Int64($0) } ?? pushes.log.end()
    var left = try context.integer("count") ?? .max
    let start = monotonicNanoseconds()
    let limit = try context.number("timeout") ?? .infinity
    let text = PushText(people: try People(session))
    context.output.notice("watching \(session.deviceName, .bold)")
    while true {
      try pushes.forEach(after: position) { push in
        position = push.sequence
        try context.emit(event: push.object, text: text.line(push))
        left -= 1
        return left > 0
      }
      if left == 0 { return }
      let passed = Double(monotonicNanoseconds() - start) / 1_000_000_000
      switch watch.wait(seconds: max(0, limit - passed)) {
      case .changed: continue
      case .stopped: throw SilentExit(interrupts.isTermination ? .terminated : .interrupted)
      case .gone: throw CommandFailure.notFound("the device's folder is gone: \(session.service.cloud.path)")
      case .nothing:
        if context.flag("count") { throw SilentExit(.timedOut) }
        return
      }
    }
  }
}
