import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Replaying a journal on another boot")
struct ReplayTests {
  /// Simulates a reboot: the journal header of this boot is invalid, so all entries since the checkpoint are replayed.
  private func reboot(_ cloud: TemporaryCloud) throws {
    try cloud.zoneFolder().directory(".journal").file("log", .readWrite).write(
      [UInt8](repeating: 0xFF, count: 32), at: 16)
  }

  @Test(
    "a replay of a share's log that was appended to and removed since the last checkpoint", arguments: [false, true])
  func removedShareLog(remade: Bool) throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("root", "R"))
    try alice.share("root", with: ["bob"])
    // Exceeds the checkpoint's limit.
    for item in 0..<6 {
      try alice.save(alice.note("big", String(repeating: "\(item)", count: 900_000)), policy: .changedKeys)
    }
    try alice.save(alice.note("root", "2"), policy: .changedKeys)
    _ = try alice.modify(delete: ["Share-1"]).deletes[0].get()
    if remade { try alice.share("root") }
    try reboot(cloud)
    let next = Person(cloud, "alice")
    #expect(try next.fetch("root").fields["text"] == .string("2"))
    #expect(try cloud.service.checks.check() == [])
  }
}
