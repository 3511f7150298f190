import LocalCloud
import LocalCloudEmulator
import LocalCloudPlatform
import LocalCloudService
import TestSupport

/// Processes that print a line with the time of each notification, by the clock that all processes share.
enum Listening {
  static func printTime() { StandardStream.output.write("\(monotonicNanoseconds())\n") }

  /// Receives pushes on a device, as a program does.
  static func toPushes(_ client: ZoneClient, device: String) throws {
    var acting = ActingIdentity()
    (acting.root, acting.who) = (client.service.cloud.path, .account(client.caller.account ?? ""))
    (acting.device, acting.container) = (device, client.caller.container)
    let listener = try PushListener(acting, failed: { StandardStream.error.write("\($0)\n") }, { _ in printTime() })
    StandardStream.output.write(WorkerGroup.ready + "\n")
    while true { pause(microseconds: 1_000_000) }
    withExtendedLifetime(listener) {}
  }

  /// Waits for the records `note-1`, `note-2` and so on, each as `localcloud wait record` does.
  static func toRecords(_ client: ZoneClient) throws {
    StandardStream.output.write(WorkerGroup.ready + "\n")
    for number in 1... {
      _ = try client.wait(for: "note-\(number)", seconds: .infinity)
      printTime()
    }
  }

  /// Watches a folder: the minimal way to be notified of a change.
  static func toFolder(_ path: String) throws {
    let watch = try DirectoryWatch(Directory.open(path: path, in: FileSystem()))
    StandardStream.output.write(WorkerGroup.ready + "\n")
    while watch.wait() == .changed { printTime() }
  }
}
