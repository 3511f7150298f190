import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Effects of commits that a cloud's observer performs")
struct CloudObserverTests {
  @Test("the observer performs the effects of a new zone and of commits, and none of a transaction that did not commit")
  func observerPerformsTheEffectsOfANew() throws {
    let path = ScratchFolder.newPath("client")
    try Cloud.create(path: path, history: "h", created: 0)
    let cloud = try Cloud(path: path, fieldEncoding: FieldEncoding { _, _ in [] }, observer: ToyObserver())
    let waitPolicy = LockWaitPolicy()
    let database = DatabasePath(container: "c", environment: "e", scope: ["private", "alice"])
    let properties = ZoneProperties(name: "Z", owner: "_alice", incarnation: "i", base: 0, capabilities: 0, created: 0)
    var effects = ObserverEffects()
    effects.append(to: "play") { commit, index in .string("new \(commit.sequence) \(index)") }
    let made = try cloud.createZone(
      ZonePath(database: database, zone: "Z"), properties, mentioned: true, effects: { effects }, waitPolicy)
    let zone = try #require(made.zone)
    func toys() throws -> [String: String] {
      let folder = try cloud.root.directoryIfPresent("toys")
      return try (folder?.entries() ?? []).reduce(into: [:]) { toys, entry in
        toys[entry.name] = String(decoding: try folder?.contents(entry.name) ?? [], as: UTF8.self)
      }
    }
    // Another process may have performed the effect before, so it is a replay.
    #expect(try made.isNew && toys() == ["new 0 0": "true"])
    for commits in [false, true] {
      try zone.write(waitPolicy) { transaction in
        try transaction.put(StoredRecord(["recordName": "r", "recordType": "T"]))
        transaction.observerEffects.append(to: "play") { commit, index in .string("ball \(commit.sequence) \(index)") }
        transaction.observerEffects.append(to: "play") { commit, index in .string("doll \(commit.sequence) \(index)") }
        if commits { try transaction.commit(waitPolicy) }
      }
      let played = commits ? ["ball 1 0": "false", "doll 1 1": "false"] : [:]
      #expect(try toys() == played.merging(["new 0 0": "true"]) { $1 })
    }
    try zone.write(waitPolicy) { transaction in
      transaction.observerEffects.append(to: "play") { commit, _ in .string("end \(commit.sequence)") }
      transaction.removeZone()
      try transaction.commit(waitPolicy)
    }
    // The removal of the zone has a sequence of its own.
    #expect(try toys()["end 2"] == "false" && zone.folder.isCurrent() == false)
    try ScratchFolder.remove(path)
  }
}
