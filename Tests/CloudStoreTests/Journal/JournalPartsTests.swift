import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Validation of journal entries")
struct JournalPartsTests {
  /// Makes an entry from a description and its blobs.
  private func entry(_ description: JSONObject, _ blobs: [UInt8] = []) -> JournalEntry? {
    let text = JSONValue.object(description).compact()
    var payload: [UInt8] = []
    payload.append(littleEndian: UInt32(text.count))
    payload += text + blobs
    return JournalEntry(sequence: 7, payload: payload[...], ZoneFolder.format)
  }

  private typealias Effect = JournalEntry.Effect

  private func effects(_ effect: JSONValue, _ blobs: [UInt8] = []) -> [Effect]? {
    entry(["effects": [effect], "previous": 6], blobs)?.effects
  }

  @Test("an entry without effects or previous sequence is refused, and all other members are optional")
  func entryWithoutEffectsOrPreviousSequence() throws {
    let least = try #require(entry(["effects": [], "previous": 6]))
    #expect(least.previous == 6)
    #expect(least.sequence == 7)
    #expect(least.effects == [])
    #expect(least.joined == 0)
    #expect(entry(["previous": 6]) == nil)
    #expect(entry(["effects": []]) == nil)
    #expect(entry(["effects": 1, "previous": 6]) == nil)
    #expect(entry(["effects": [], "previous": 6], [1]) == nil)
    #expect(entry(["effects": [], "previous": 6, "joined": -5])?.joined == 0)
    #expect(entry(["effects": [], "previous": 6, "joined": 5])?.joined == 5)
    #expect(JournalEntry(sequence: 7, payload: [], ZoneFolder.format) == nil)
    #expect(JournalEntry(sequence: 7, payload: [0, 0, 0], ZoneFolder.format) == nil)
    #expect(JournalEntry(sequence: 7, payload: [2, 0, 0, 0, 0x7B, 0x7D], ZoneFolder.format) == nil)
    #expect(entry(["effects": [], "previous": 6, "mentions": [[:]]]) == nil)
    // An effect that the observer does not support, and one that it supports.
    #expect(entry(["effects": [], "previous": 6, "play": [[:]]]) == nil)
    #expect(entry(["effects": [], "previous": 6, "play": ["ball"]])?.extra == ["play": ["ball"]])
  }

  @Test("effects are read with their blobs, and invalid effects are refused")
  func effectsOfAnEntry() {
    #expect(effects(["replace": "zone/a", "length": 2], [8, 9]) == [Effect.replace(StorePath(.zone, ["a"]), [8, 9])])
    #expect(effects(["remove": "container/a/b"]) == [Effect.remove(StorePath(.container, ["a", "b"]))])
    #expect(
      effects(["append": "zone/a", "offset": 0, "length": 0]) == [Effect.append(StorePath(.zone, ["a"]), offset: 0, [])]
    )
    #expect(effects(["removeZone": true]) == [Effect.removeFolder])
    let wrong: [JSONValue] = [
      [:], 1, ["removeZone": false], ["remove": 1], ["remove": "a"], ["remove": "other/a"], ["remove": "zone/"],
      ["replace": "zone/a"], ["replace": "zone/a", "length": 3], ["replace": "zone/a", "length": -1],
      ["append": "zone/a", "length": 2], ["append": "zone/a", "offset": -1, "length": 2],
      ["append": "zone/a", "offset": 0, "length": 3], ["adopt": "zone/a", "upload": "u"],
    ]
    for effect in wrong {
      #expect(effects(effect) == nil, "\(effect)")
      #expect(effects(effect, [8, 9]) == nil, "\(effect)")
    }
  }

  @Test("a path has at least two names, and none of them leads to another folder")
  func pathHasAtLeastTwoNames() {
    for path in [
      StorePath(.zone, ["a"]), .changeLog, .record("../n"), .shareLog(""), .zoneKey, .recordKey("r"), .shareKey("s"),
      StorePath(.container, ["a", "b", "c"]), .zoneProperties,
    ] { #expect(StorePath(text: path.text) == path, "\(path.text)") }
    for text in [
      "", "zone", "zone/", "/a", "other/a", "Zone/a", "zone//a", "zone/a/", "zone/.", "zone/..", "zone/a/../b",
      "zone/a\0", "container/./a", " zone/a",
    ] { #expect(StorePath(text: text) == nil, "\(text)") }
    #expect(StorePath(text: "zone/...")?.components == ["..."])
    #expect(StorePath.record("r").isRecord)
    #expect(!StorePath(.container, ["records", "r"]).isRecord)
    #expect(!StorePath(.zone, ["records", "a", "b"]).isRecord)
    #expect(!StorePath.shareLog("s").isRecord)
    #expect(StorePath.shareLog("s").isShareLog)
    #expect(StorePath.shareLog("s").isLog)
    #expect(StorePath.changeLog.isLog)
    #expect(!StorePath.changeLog.isShareLog)
    #expect(!StorePath.record("r").isLog)
    #expect(!StorePath.record("r").isShareLog)
    #expect(!StorePath(.container, ["shares", "s"]).isShareLog)
    #expect(!StorePath(.zone, ["shares", "s", "t"]).isShareLog)
    #expect(StorePath.zoneKey.isKey)
    #expect(StorePath.recordKey("r").isKey)
    #expect(StorePath.shareKey("s").isKey)
    #expect(!StorePath(.container, ["keys", "zone.json"]).isKey)
    #expect(!StorePath.zoneProperties.isKey)
  }

  private let compaction: JSONObject = [
    "compact": "zone/changes.jsonl", "digest": "d", "from": 0, "horizon": 0, "size": 0, "superseded": 0, "tail": 0,
  ]

  @Test("a compaction is read only for a log and without negative numbers")
  func compactionIsReadOnlyForALog() throws {
    func read(_ changes: JSONObject, without key: String? = nil) -> JournalEntry.Compaction? {
      var object = compaction
      for (key, value) in changes { object[key] = value }
      if let key { object[key] = nil }
      guard let path = object["compact"]?.string.flatMap(StorePath.init(text:)), path.isLog else { return nil }
      return JournalEntry.Compaction(.object(object), of: path)
    }
    let zero = JournalEntry.Compaction(
      path: .changeLog, horizon: 0, superseded: 0, from: 0, size: 0, digest: "d", tail: 0)
    #expect(read([:]) == zero)
    let log = StorePath.shareLog("s")
    let other = JournalEntry.Compaction(
      path: log, horizon: 1 << 60, superseded: 2, from: 3, size: 4, digest: "e", tail: 5)
    let changes: JSONObject = [
      "compact": .string(log.text), "horizon": .integer(1 << 60), "superseded": 2, "from": 3, "size": 4, "digest": "e",
      "tail": 5,
    ]
    #expect(read(changes) == other)
    #expect(effects(.object(compaction)) == [Effect.compact(zero)])
    for key in ["compact", "digest", "from", "horizon", "size", "superseded", "tail"] {
      #expect(read([:], without: key) == nil, "\(key)")
      #expect(read([key: -1]) == nil, "\(key)")
    }
    for key in ["horizon", "superseded"] { #expect(read([key: .integer(1 << 60 + 1)]) == nil, "\(key)") }
    for path in ["zone/zone.json", "zone/records/r.json", "container/changes.jsonl"] {
      #expect(read(["compact": .string(path)]) == nil, "\(path)")
    }
  }

  @Test("an entry about a zone is read only with a database and a zone")
  func entryAboutAZoneIsRead() throws {
    let whole: JSONObject = ["container": "c", "environment": "e", "scope": ["public"], "zone": "Z", "fields": [:]]
    let mention = try #require(ZoneMention(.object(whole)))
    #expect(mention.database == DatabasePath(container: "c", environment: "e", scope: ["public"]))
    #expect(mention.zone == "Z")
    #expect(mention.owner == nil)
    #expect(mention.fields == [:])
    #expect(mention.value == .object(whole))
    var wrong = whole
    wrong["scope"] = []
    #expect(ZoneMention(.object(wrong)) == nil)
    for key in whole.keys {
      var wrong = whole
      wrong[key] = 1
      #expect(ZoneMention(.object(wrong)) == nil, "\(key)")
    }
  }

  @Test("a line of a log is read only with all required members and valid names")
  func lineOfALogIsRead() throws {
    let change: JSONObject = [
      "device": "d", "kind": "save", "recordChangeTag": "1", "recordName": "r", "recordType": "T", "sequence": 3,
    ]
    let share: JSONObject = ["kind": "in", "recordName": "r", "recordType": "T", "sequence": 3]
    #expect(ChangeLine(.object(change))?.sequence == 3)
    #expect(ShareLine(.object(share))?.kind == .inside)
    for key in change.keys {
      for value in [nil, true, "a\0"] as [JSONValue?] where key != "recordChangeTag" || value != "a\0" {
        var (change, share) = (change, share)
        change[key] = value
        #expect(ChangeLine(.object(change)) == nil, "\(key)")
        guard share[key] != nil else { continue }
        share[key] = value
        #expect(ShareLine(.object(share)) == nil, "\(key)")
      }
    }
    for kind in ["in", "out", "Save", ""] {
      var line = change
      line["kind"] = .string(kind)
      #expect(ChangeLine(.object(line)) == nil, "\(kind)")
    }
  }
}
