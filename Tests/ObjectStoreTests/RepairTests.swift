import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Repair of a store's lines and history")
struct ObjectStoreRepairTests {
  private typealias Sample = SampleStore

  // MARK: Lines

  // [store-30]
  @Test("a repair of an undamaged store does nothing and creates no folder")
  func repairOfAnUndamagedStoreDoesNothing() throws {
    try RepairStage.withStore { store, files, _ in
      let done = try RepairStage.repair(store)
      #expect(done == [])
      #expect(try files.aside().isEmpty)
    }
  }

  // [store-30]
  @Test(
    "a repair sets aside an invalid line with a note and retains the other lines, with or without an index",
    arguments: [true, false])
  func repairSetsAsideAnInvalidLine(hasIndex: Bool) throws {
    try RepairStage.withStore { store, files, ids in
      let (directory, name) = try files.segment("objects/Tag")
      try files.replace(0, of: "objects/Tag") { "x" + $0 }
      let damaged = try directory.contents(name)
      if !hasIndex { try files.loseIndex() }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.hasPrefix("the line at byte 0 is not a row: it is in aside/2026-08-01T") })
      #expect(try store.read { try $0.row(ids.red) } == nil)
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
      let aside = try files.aside()
      #expect(aside["2026-08-01T000000.000Z/objects/Tag/\(name)"] == damaged)
      let notes = try #require(aside["2026-08-01T000000.000Z/notes.jsonl"]).split(separator: UInt8(ascii: "\n"))
      let values = try notes.map { try JSONValue(parsing: $0) }
      #expect(values[0]["file"]?.string == "objects/Tag/\(name)")
      #expect(values[0]["byte"] == 0)
      #expect(values[0]["row"] == nil)
      // The index names the tag.
      #expect(values.contains { $0["row"] == "Tag/1" && $0["reason"] == "its line is missing" } == hasIndex)
      // The repair removes the link from the post to the lost tag: a note names both.
      let ends = values.filter { $0["from"] != nil }.map { [$0["from"]?.string, $0["to"]?.string] }
      #expect(ends == [["Post/\(ids.post.number)", "Tag/\(ids.red.number)"]])
      let tags = try store.read { try $0.related(ids.post, SampleStore.relationship("tags", of: SampleStore.post)) }
      #expect(tags == [ids.blue])
    }
  }

  // [store-30]
  @Test("an object whose last line is invalid gets the values of its previous line, or is reported as lost")
  func objectWhoseLastLineIsInvalidGets() throws {
    try RepairStage.withStore { store, files, ids in
      // Lines for red, blue, and the updated blue.
      #expect(try files.lines("objects/Tag").count == 3)
      for line in [0, 2] { try files.replace(line, of: "objects/Tag") { String($0.dropLast(3)) } }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.contains("is not a row, Tag/\(ids.red.number) is lost: ") })
      #expect(done.contains { $0.contains(", Tag/\(ids.blue.number) is again what its line before says: ") })
      #expect(try store.read { try $0.row(ids.red) } == nil)
      #expect(try RepairStage.name(store, ids.blue) == .string("blue"))
      #expect(try files.isAside("navy"))
    }
  }

  // [store-30]
  @Test(
    "an object whose tombstone is an invalid line stays deleted if the history has the deletion",
    arguments: [true, false], [#"{"deleted":true,"id":1}x"#, "garbage"])
  func objectWhoseTombstoneIsAnInvalidLine(hasHistory: Bool, line: String) throws {
    try RepairStage.withStore { store, files, ids in
      _ = try store.write { try $0.delete(ids.red) }
      let last = try files.lines("objects/Tag").count - 1
      #expect(try files.replace(last, of: "objects/Tag") { _ in line } == #"{"deleted":true,"id":1}"#)
      if !hasHistory {
        try files.folder.remove("history.jsonl")
        try files.loseIndex()
      }
      let done = try RepairStage.repair(store)
      #expect(try (store.read { try $0.row(ids.red) } == nil) == hasHistory)
      let outcome = hasHistory ? "deleted" : "again what its line before says"
      #expect(done.contains { $0.contains(", Tag/1 is \(outcome): ") } == (line != "garbage"))
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
    }
  }

  // [store-30]
  @Test("an invalid line that a later line replaces, here with a value of the wrong type, loses nothing")
  func invalidLineThatALaterLineReplaces() throws {
    try RepairStage.withStore { store, files, ids in
      try files.replace(1, of: "objects/Tag") { $0.replacing("\"blue\"", with: "7") }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.contains("is no row of this table, and a later one says what Tag/2 is") })
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
    }
  }

  // [store-30]
  @Test(
    "a repair sets aside invalid lines of links and of mirroring tables",
    arguments: ["links/Post.tags", "mirroring/records"])
  func repairSetsAsideInvalidLinesOfLinks(table: String) throws {
    try RepairStage.withStore { store, files, ids in
      let line = try files.replace(0, of: table) { String($0.dropLast(1)) }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.contains(" is lost: ") })
      #expect(try files.isAside(String(line.dropLast(1))))
      let tags = try store.read { try $0.related(ids.post, Sample.relationship("tags", of: Sample.post)) }
      #expect(tags == (table == "links/Post.tags" ? [ids.blue] : [ids.red, ids.blue]))
      let record = try store.read { try $0.row(ids.ann.number, in: .records) }
      #expect((record == nil) == (table != "links/Post.tags"))
    }
  }

  // [store-30]
  @Test("a repair adds a missing newline at the end of a file and retains the last line")
  func repairAddsAMissingNewline() throws {
    try RepairStage.withStore { store, files, ids in
      let (directory, name) = try files.segment("objects/Tag")
      for file in [try directory.file(name, .readWrite), try files.folder.file("history.jsonl", .readWrite)] {
        try file.truncate(to: try file.size() - 1)
      }
      let done = try RepairStage.repair(store)
      #expect(done.filter { $0 == "its last line lacked a newline: ended" }.count == 2)
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
      #expect(try files.aside().isEmpty)
    }
  }

  // [store-30]
  @Test("a repair retains an object with a number above the history's end, and the history continues above it")
  func repairRetainsAnObjectWithANumber() throws {
    try RepairStage.withStore { store, files, _ in
      let (directory, name) = try files.segment("objects/Tag")
      let lines = try directory.contents(name) ?? []
      try directory.writeStaged(name, lines + Array(#"{"id":700,"values":{"name":"mine"},"version":1}\#n"#.utf8))
      try files.loseIndex()
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.contains("and 700 is in use: it now begins after the number 700") })
      #expect(try RepairStage.name(store, RowID(entity: Sample.tag, number: 700)) == .string("mine"))
      #expect(throws: ObjectStoreError.historyPurged) { try store.read { try $0.history(after: 1) } }
    }
  }

  // MARK: History

  // [store-30]
  @Test("for an invalid line within the history, later lines stay and earlier tokens expire")
  func historyMiddle() throws {
    try RepairStage.withStore { store, files, ids in
      for level in 1...4 {
        _ = try store.write { transaction in
          var blue = try #require(try transaction.row(ids.blue))
          blue.attributes[Sample.attributeIndex("level", of: Sample.tag)] = .integer(Int64(level))
          try transaction.update(blue, changed: ["level"])
        }
      }
      let all = try store.read { try $0.history(after: 0) }
      let line = try files.replaceHistory(1) { String($0.dropLast(4)) }
      let done = try RepairStage.repair(store)
      // The next line may be the end of the same transaction.
      #expect(done.contains { $0.contains("is not JSON: it now begins after the number \(all[3].number - 1); ") })
      #expect(try store.read { try $0.history(after: all[2].number).prefix(3) } == all[3...5])
      #expect(throws: ObjectStoreError.historyPurged) { try store.read { try $0.history(after: all[1].number) } }
      #expect(try files.isAside(String(line.dropLast(4))))
    }
  }

  // [store-30]
  @Test(
    "a history whose end is invalid, truncated or missing continues above all numbers in use", arguments: [0, 1, 2])
  func historyEnd(kind: Int) throws {
    try RepairStage.withStore { store, files, ids in
      let head = try store.read { try $0.head() }
      let before = try files.folder.contents("history.jsonl") ?? []
      switch kind {
      case 0: try files.replaceHistory(1) { "x" + $0 }
      case 1: try files.folder.file("history.jsonl", .readWrite).truncate(to: 10)
      default: try files.folder.remove("history.jsonl")
      }
      if kind == 1 { try files.loseIndex() }
      let done = try RepairStage.repair(store)
      #expect(done.contains { $0.contains("it now begins after the number") })
      #expect(try store.read { try $0.historyHorizon() } >= head - (kind == 1 ? 1 : 0))
      #expect(throws: ObjectStoreError.historyPurged) { try store.read { try $0.history(after: 0) } }
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
      if kind == 0 {
        let path = "2026-08-01T000000.000Z/history.jsonl"
        #expect(try files.aside()[path]?.count == before.count + 1)
      }
    }
  }
}
