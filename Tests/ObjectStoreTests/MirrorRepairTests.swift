import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Repair of the mirroring's rows after objects or links were lost")
struct MirrorRepairTests {
  private typealias Sample = SampleStore

  // [store-30]
  @Test(
    "a repair does not delete the record of a lost object in the cloud, and imports its zone again")
  func repairDoesNotDeleteTheRecord() throws {
    try Sample.withPath("objects-repair-mirrored") { path in
      let store = try Sample.open(path)
      let ids = try store.write { transaction in
        let ids = [Sample.tag, Sample.person, Sample.note, Sample.person].map { transaction.newID(of: $0) }
        transaction.insert(Sample.row(ids[0], ["name": .string("red")]))
        transaction.insert(Sample.row(ids[1], ["name": .string("Ann")]))
        transaction.insert(Sample.row(ids[2], ["title": .string("by Ann")], ["author": ids[1]]))
        transaction.insert(Sample.row(ids[3], ["name": .string("Bob")]))
        for (id, name) in zip(ids, ["R", "A", "N", "B"]) {
          var entry = RecordEntry(id: id, location: RecordLocation(.private, name))
          (entry.tag, entry.sent) = ("t1", 5)
          transaction.put(entry.row, in: .records)
        }
        var zone = ZoneEntry(number: transaction.newNumber(), location: .private)
        (zone.token, zone.isMade) = ("token", true)
        transaction.put(zone.row, in: .zones)
        return ids
      }.result
      let sent = try store.read { try $0.head() }
      _ = try store.write { transaction in
        transaction.put(
          MirrorRow(id: transaction.newNumber(), key: StateKey.export, values: ["token": .integer(sent)]), in: .state)
        // An app deletes Bob; the record of Bob is not exported as deleted yet.
        try transaction.delete(ids[3])
      }
      let files = try StoreEditing(path)
      try files.replace(0, of: "objects/Person") { "x" + $0 }
      let report = try ObjectStore.repair(path, options: Sample.options)
      #expect(report.left == [])
      #expect(report.done.contains { $0.text.hasPrefix("the records of 1 objects and 0 links that are lost stay") })
      let (records, zone, candidates) = try store.read { view in
        let records = try ids.map { try view.record(of: $0) }
        return (
          records, ZoneEntry(try view.row(key: ZoneLocation.private.key, in: .zones)), try ExportCandidates(view)
        )
      }
      #expect(records[0]?.tag == "t1")
      #expect(records[1] == nil)
      #expect(records[3]?.tag == "t1")
      // The relationship to the lost object waits for the record of that object. The note's other data stays.
      #expect(records[2]?.tag == "t1")
      let waiting = try store.read { try $0.rows(prefix: RecordLocation(.private, "A").key, in: .waiting) }
      let references = waiting.compactMap { WaitingEntry($0)?.reference }
      #expect(references == [.toOne(ids[2], relationship: "author")])
      #expect(zone?.isWalkedAnew == true)
      #expect(zone?.token == nil)
      #expect(zone?.isMade == true)
      #expect(candidates.deleted == [ids[3]])
      #expect(try files.isAside("\"A\""))
    }
  }

  private static let links = "links/Post.tags"

  // [store-30]
  @Test("a repair does not delete the record of a lost link in the cloud, and imports its zone again")
  func repairDoesNotDeleteTheRecordOfALost() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      // The link to blue is removed, and its record is not deleted in the cloud yet.
      var entry = try #require(try store.read { try $0.links(of: ids.blue) }.first)
      entry.isEnding = true
      _ = try store.write { transaction in
        try transaction.unlink(ids.post, Sample.relationship("tags", of: Sample.post), from: ids.blue)
        for row in entry.mirrorRows { transaction.put(row, in: .links) }
      }
      try files.replace(0, of: Self.links) { "x" + $0 }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.hasPrefix("the records of 0 objects and 1 links that are lost stay") })
      let (red, blue, zone) = try store.read { view in
        let zone = ZoneEntry(try view.row(key: ZoneLocation.private.key, in: .zones))
        return (try view.links(of: ids.red), try view.links(of: ids.blue), zone)
      }
      #expect(red.isEmpty)
      #expect(blue.map(\.location.name) == ["PB"])
      #expect(zone?.isWalkedAnew == true)
      #expect(zone?.token == nil)
      #expect(try files.isAside("PR"))
    }
  }

  // [store-30]
  @Test("a repair does not restore a link that the app removed before the next export")
  func repairDoesNotRestoreALink() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      _ = try store.write { transaction in
        try transaction.unlink(ids.post, Sample.relationship("tags", of: Sample.post), from: ids.blue)
      }
      try files.replace(0, of: Self.links) { $0 + "x" }
      _ = try RepairStage.repair(store)
      let (red, blue) = try store.read { (try $0.links(of: ids.red), try $0.links(of: ids.blue)) }
      #expect(red.isEmpty)
      #expect(blue.map(\.location.name) == ["PB"])
    }
  }

  // [store-30]
  @Test("without an index every mirrored pair of the damaged table that has no link counts as lost")
  func withoutIndex() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      try files.replace(0, of: Self.links) { "x" + $0 }
      try files.loseIndex()
      _ = try RepairStage.repair(store)
      let (red, blue) = try store.read { (try $0.links(of: ids.red), try $0.links(of: ids.blue)) }
      #expect(red.isEmpty)
      #expect(blue.map(\.location.name) == ["PB"])
    }
  }

  // [store-30]
  @Test("a repair restores the row of an object's record from the index, so that no second record is made")
  func repairRestoresTheRowOfAnObjects() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      let lines = try files.lines("mirroring/records")
      let line = try #require(lines.lastIndex { $0.contains(#""id":\#(ids.post.number),"#) })
      try files.replace(line, of: "mirroring/records") { "x" + $0 }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.contains("the rows of 1 records are made anew") })
      let (entry, zone) = try store.read { view in
        (
          try view.record(of: ids.post),
          ZoneEntry(try view.row(key: ZoneLocation.private.key, in: .zones))
        )
      }
      #expect(entry?.location == RecordLocation(.private, "P"))
      #expect(entry?.tag == nil)
      #expect(zone?.isWalkedAnew == true)
    }
  }

  // [store-30]
  @Test(
    "a repair removes a link's mirroring rows if one of them is missing, and imports all zones again",
    arguments: [0, 1, 2])
  func pairRows(row: Int) throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      let rows = try #require(try store.read { try $0.links(of: ids.red) }.first).rows
      let line = try #require(try files.lines("mirroring/links").firstIndex { $0.contains(#""id":\#(rows[row]),"#) })
      try files.replace(line, of: "mirroring/links") { "x" + $0 }
      _ = try RepairStage.repair(store)
      let (left, blue, zone) = try store.read { view in
        (
          try rows.compactMap { try view.row($0, in: .links) }, try view.links(of: ids.blue),
          ZoneEntry(try view.row(key: ZoneLocation.private.key, in: .zones))
        )
      }
      #expect(left.isEmpty)
      #expect(blue.map(\.location.name) == ["PB"])
      #expect(zone?.isWalkedAnew == true)
    }
  }

  // [store-30]
  @Test("for a lost object whose record moves between zones a repair imports both zones and waits for the old record")
  func forALostObjectWhoseRecordMoves() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      let share = ZoneLocation(zone: RecordNames.shareZonePrefix + "1")
      var entry = try #require(try store.read { try $0.record(of: ids.ann) })
      (entry.location, entry.leaving, entry.tag) = (RecordLocation(share, "A2"), [entry.location], nil)
      _ = try store.write { [entry] transaction in
        transaction.put(entry.row, in: .records)
        let former = FormerLocation(
          number: transaction.newNumber(), location: entry.leaving[0], subject: .object(ids.ann))
        transaction.put(former.row, in: .state)
        transaction.put(ZoneEntry(number: transaction.newNumber(), location: share).row, in: .zones)
      }
      try files.replace(0, of: "objects/Person") { "x" + $0 }
      _ = try RepairStage.repair(store)
      let (waiting, former, zones) = try store.read { view in
        (
          try view.rows(prefix: RecordLocation(.private, "A").key, in: .waiting),
          try view.rows(prefix: FormerLocation.prefix(.private), in: .state),
          try view.rows(prefix: "", in: .zones).compactMap { ZoneEntry($0)?.isWalkedAnew }
        )
      }
      #expect(waiting.count == 1)
      #expect(former.isEmpty)
      #expect(zones == [true, true])
    }
  }

  // [store-30]
  @Test("a repair retains the records of undamaged links when another link is lost")
  func otherLinks() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      try files.replace(1, of: Self.links) { "x" + $0 }
      _ = try RepairStage.repair(store)
      let (red, blue) = try store.read { (try $0.links(of: ids.red), try $0.links(of: ids.blue)) }
      #expect(red.map(\.location.name) == ["PR"])
      #expect(blue.isEmpty)
    }
  }

  // [store-30]
  @Test("if the end of the history is lost, new transactions get numbers above all that the mirroring has sent")
  func ifTheEndOfTheHistory() throws {
    try RepairStage.withStore { store, files, ids in
      try RepairStage.mirror(store, ids)
      var entry = try #require(try RecordEntry(store.read { try $0.row(ids.red.number, in: .records) }))
      entry.sent = 7_000
      _ = try store.write { [entry] in $0.put(entry.row, in: .records) }
      try files.folder.remove("history.jsonl")
      try files.loseIndex()
      _ = try RepairStage.repair(store)
      #expect(try store.read { try $0.head() } > 7_000)
      #expect(try store.read { try $0.historyHorizon() } == 7_000)
    }
  }
}
