import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Measures the delay of a push between two processes, and how much it adds to the save.
enum PushBenchmark: Benchmark {
  static let name = "pushes"
  static let summary = "from a save to the callback in another process, against a synced append and a folder watch"

  static func run(_ options: Options) throws -> Findings {
    let cloud = try TemporaryCloud.forMeasuring()
    let (subscribed, quiet) = (try ZoneClient.making("Told", in: cloud), try ZoneClient.making("Quiet", in: cloud))
    try sign(in: "phone", of: cloud)
    let subscription = ModifySubscriptionsRequest.Save(Subscription(id: "told", kind: .zone(subscribed.zone)))
    _ = try cloud.service.subscriptions.modifySubscriptions(
      ModifySubscriptionsRequest(scope: .private, saves: [subscription]), by: subscribed.caller
    ).saves[0].get()
    let program = try WorkerGroup.started(.listen, subscribed.arguments(in: cloud) + ["phone"])
    let log = try WatchedLog("watched")
    defer { for child in [program, log.watcher] { child.kill() } }
    var number = 0
    let delays = try inRounds(
      options.size(300, quick: 20),
      [
        {
          number += 1
          return try delay(to: program) { try subscribed.save([subscribed.note("note-\(number)", number)]) }
        },
        { try log.append() },
      ])
    program.kill()
    let saves = try inRounds(
      options.size(300, quick: 20),
      [subscribed, quiet].map { client in
        {
          number += 1
          return try milliseconds { try client.save([client.note("note-\(number)", number)]) }
        }
      })
    return Findings(figures: [
      Figure("from the save to the callback", .milliseconds, delays[0], against: ("append to watcher", delays[1])),
      Figure("a save that causes a push", .milliseconds, saves[0], against: ("a save without a push", saves[1])),
    ])
  }

  private static func sign(in device: String, of cloud: TemporaryCloud) throws {
    try cloud.service.cloud.withFolder(Inbox.devices, LockWaitPolicy()) { folder in
      try folder.write(["account": "alice", "name": .string(device)], device, "device.json")
    }
  }

  /// The milliseconds from the call to the notification of the other process.
  static func delay(to child: ChildProcess, _ body: () throws -> Void) throws -> Double {
    let start = monotonicNanoseconds()
    try body()
    var arrival: UInt64 = 0
    // Skips late duplicate notifications of an earlier change.
    while arrival < start {
      guard let line = child.nextLine(seconds: 30).flatMap({ UInt64($0) }) else {
        throw UnexpectedResult(text: "a process was not told: \(child.errors)")
      }
      arrival = line
    }
    // Waits, so that the process's remaining work does not disturb the next measurement.
    pause(microseconds: 5000)
    return Double(arrival - start) / 1e6
  }
}

/// A file with a process that watches its folder: the least that a process can take to notice a write of another one.
struct WatchedLog {
  let watcher: ChildProcess
  private let folder: Directory
  private let file: File

  init(_ name: String) throws {
    let made = try Leftovers.folder(name)
    watcher = try WorkerGroup.started(.watch, [made.path])
    folder = made.directory
    file = try folder.createFile("log")
  }

  /// Appends a kilobyte and syncs it. Returns the milliseconds until the watcher is notified.
  func append() throws -> Double {
    try PushBenchmark.delay(to: watcher) {
      // The watcher is notified when a file is closed.
      let again = try folder.file("log", .readWrite)
      try again.write([UInt8](repeating: 7, count: 1024), at: try file.size())
      try again.sync()
    }
  }
}
