import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Frames, torn tails, damage and boots of a journal")
struct JournalTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("journal")
    directory = folder.directory
    try directory.writeStaged("log", JournalHeader(boot: JournalHeader.boot(of: directory.fileSystem)).bytes)
  }

  private func entry(_ number: Int64) -> JournalEntry {
    var entry = JournalEntry(
      previous: number - 1, sequence: number,
      effects: [
        .replace(.record(ExactName("r\(number)")), Array("contents \(number)".utf8)), .remove(.record("gone")),
        .append(.changeLog, offset: Int(number) * 10, Array("line\n".utf8)),
      ])
    entry.indexInsertions = [[1, 2, UInt8(number)], []]
    entry.indexRemovals = [[9]]
    return entry
  }

  @Test("a journal entry's payload can be read again, and any shorter payload is refused")
  func journalEntrysPayloadCanBeReadAgain() throws {
    let payload = entry(7).payload(ZoneFolder.format)
    let back = try #require(JournalEntry(sequence: 7, payload: payload[...], ZoneFolder.format))
    #expect(back.effects == entry(7).effects)
    #expect(back.previous == 6)
    #expect(back.indexInsertions == entry(7).indexInsertions)
    #expect(back.indexRemovals == entry(7).indexRemovals)
    for length in 0..<payload.count {
      #expect(JournalEntry(sequence: 7, payload: payload.prefix(length), ZoneFolder.format) == nil)
    }
  }

  @Test("after the mark entries are unapplied, and on another boot all entries are")
  func afterTheMarkEntriesAreUnapplied() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    #expect(try journal.isClean())
    let first = try journal.append(entry(1))
    #expect(try !journal.isClean())
    try journal.markApplied(first)
    #expect(try journal.isClean())
    _ = try journal.append(entry(2))
    #expect(try journal.unapplied().entries.map(\.sequence) == [2])
    // Another boot wrote its identifier to the header.
    let file = try directory.file("log", .readWrite)
    try file.write([0xEE], at: 20)
    #expect(try !journal.isClean())
    #expect(try journal.unapplied().entries.map(\.sequence) == [1, 2])
  }

  @Test("a torn last entry is dropped wherever it is torn, and the next entry overwrites it")
  func tornLastEntryIsDroppedWherever() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    let end = try journal.append(entry(1))
    try journal.markApplied(end)
    let whole = try journal.append(entry(2))
    try directory.file("log", .readWrite).write([0xEE], at: 20)
    let bytes = try directory.file("log").readAll()
    for length in end.offset..<whole.offset {
      try directory.writeStaged("log", Array(bytes.prefix(length)))
      let torn = try Journal(in: directory, name: "log", ZoneFolder.format)
      let found = try torn.unapplied()
      #expect(found.entries.map(\.sequence) == [1])
      #expect(found.end == end)
      try torn.markApplied(found.end)
      #expect(try torn.isClean())
      _ = try torn.append(entry(3))
      // As on another boot.
      try directory.file("log", .readWrite).write([0xEE], at: 20)
      #expect(try torn.unapplied().entries.map(\.sequence) == [1, 3])
    }
  }

  @Test("a broken entry before a valid one is reported as damage, and no byte is changed")
  func brokenEntryBeforeAValid() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    let end = try journal.append(entry(1))
    try journal.markApplied(end)
    _ = try journal.append(entry(2))
    // As on another boot.
    try directory.file("log", .readWrite).write([0xEE], at: 20)
    let bytes = try directory.file("log").readAll()
    for offset in JournalHeader.size..<end.offset {
      var broken = bytes
      broken[offset] ^= 0x5A
      try directory.writeStaged("log", broken)
      let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
      #expect(throws: StorageError.self, "byte \(offset)") { try journal.unapplied() }
      #expect(try directory.file("log").readAll() == broken)
    }
  }

  @Test("a failed sync withdraws the entry, and if that fails too, the error is uncertain", arguments: [1, 9])
  func failedSync(times: Int64) throws {
    let syncs = Counter()
    let fileSystem = FileSystem { call in
      if case .syncFile = call, syncs.next() <= times { .fail(SystemError.inputOutput) } else { .proceed }
    }
    let journal = try Journal(in: try folder.open(fileSystem), name: "log", ZoneFolder.format)
    if times == 1 {
      #expect(throws: SystemError.self) { try journal.append(entry(1)) }
    } else {
      #expect {
        try journal.append(entry(1))
      } throws: { error in
        if case StorageError.uncertain = error { true } else { false }
      }
    }
    #expect(try journal.isClean())
    #expect(try journal.unapplied().entries.isEmpty)
  }

  @Test("a checkpoint starts a generation, and frames of older generations are ignored")
  func checkpointStartsAGenerationAndFrames() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    for number in Int64(1)...5 { try journal.markApplied(try journal.append(entry(number))) }
    let size = try directory.file("log").size()
    try journal.checkpoint()
    #expect(try journal.isClean() && journal.unapplied().entries.isEmpty)
    for number in Int64(6)...8 {
      let end = try journal.append(entry(number))
      #expect(try journal.unapplied().entries.map(\.sequence) == [number])
      try journal.markApplied(end)
    }
    #expect(try directory.file("log").size() == size)
    let bytes = try directory.file("log").readAll()
    // The header of another boot, and a torn header: the first frame has the generation.
    for offset in [20, 3] {
      var changed = bytes
      changed[offset] ^= 0xFF
      try directory.writeStaged("log", changed)
      let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
      #expect(try journal.unapplied().entries.map(\.sequence) == [6, 7, 8])
      #expect(try journal.unapplied().end.generation == 1)
    }
  }

  @Test("a torn first entry over frames of an old generation is dropped, and the old frames stay ignored")
  func tornOverOldFrames() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    for number in Int64(1)...3 { try journal.markApplied(try journal.append(entry(number))) }
    try journal.checkpoint()
    let before = try directory.file("log").readAll()
    let end = try journal.append(entry(4))
    let after = try directory.file("log").readAll()
    for length in JournalHeader.size..<end.offset {
      let bytes = Array(after[..<length] + before[length...])
      // If the last old bytes are equal by chance, the entry is complete.
      if bytes == after { continue }
      try directory.writeStaged("log", bytes)
      let torn = try Journal(in: directory, name: "log", ZoneFolder.format)
      let found = try torn.unapplied()
      #expect(found.entries.isEmpty)
      #expect(found.end.offset == JournalHeader.size)
      #expect(found.end.generation == 1)
      #expect(try torn.isClean())
    }
  }

  @Test("frames behind an unreadable header and an unreadable first frame are reported as damage")
  func noGeneration() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    for number in Int64(1)...2 { try journal.markApplied(try journal.append(entry(number))) }
    let file = try directory.file("log", .readWrite)
    try file.write([0xEE], at: 3)
    try file.write([0xEE], at: JournalHeader.size + 40)
    #expect(throws: StorageError.self) { try journal.unapplied() }
    #expect(try journal.wholeEntries().map(\.sequence) == [2])
    try journal.reset()
    #expect(try journal.isClean() && journal.unapplied().entries.isEmpty)
  }

  /// Appends an applied entry and `count` unsynced ones, joined with their predecessors except the last `apart`.
  private func leaveEntries(_ count: Int64, apart: Int64 = 0) throws -> (journal: Journal, ends: [Journal.Position]) {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    var ends = [try journal.append(entry(1))]
    try journal.markApplied(ends[0])
    for number in 2..<(2 + count) {
      let end = try #require(ends.last)
      var entry = entry(number)
      if number < 2 + count - apart { entry.joined = end.offset - ends[0].offset }
      ends.append(try #require(try journal.appendUnsynced(entry.payload(ZoneFolder.format), sequence: number, at: end)))
    }
    return (journal, ends)
  }

  @Test("a power cut that damages one of several joined entries drops that entry and all entries behind it")
  func powerCutThatDamagesOneOfSeveral() throws {
    let (_, ends) = try leaveEntries(3)
    // As on another boot.
    try directory.file("log", .readWrite).write([0xEE], at: 20)
    let bytes = try directory.file("log").readAll()
    for first in 0..<3 {
      let range = ends[first].offset..<ends[first + 1].offset
      let kept = (1...Int64(first + 1)).map(\.self)
      // The whole entry is lost, its beginning, or its end.
      for lost in [range, range.prefix(8), range.suffix(1)] {
        var cut = bytes
        for byte in lost { cut[byte] = 0 }
        try directory.writeStaged("log", cut)
        let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
        let found = try journal.unapplied()
        #expect(found.entries.map(\.sequence) == kept)
        try journal.markApplied(found.end)
        #expect(try journal.isClean())
        // None of the lost entries reappears behind the next entry, although that has the same length.
        try journal.markApplied(try journal.append(entry(9)))
        try directory.file("log", .readWrite).write([0xEE], at: 20)
        #expect(try journal.unapplied().entries.map(\.sequence) == kept + [9])
      }
    }
  }

  @Test("a broken entry before one that is not joined with it was durable, so it is reported as damage")
  func notJoined() throws {
    let (_, ends) = try leaveEntries(2, apart: 1)
    let file = try directory.file("log", .readWrite)
    try file.write([0xEE], at: 20)
    try file.write([0], at: ends[0].offset)
    let bytes = try file.readAll()
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    #expect(throws: StorageError.self) { try journal.unapplied() }
    #expect(try file.readAll() == bytes)
    #expect(try journal.wholeEntries().map(\.sequence) == [1, 3])
  }

  @Test("a broken entry before the mark was durable, so it is reported as damage")
  func brokenBeforeTheMark() throws {
    let (journal, ends) = try leaveEntries(2)
    try journal.markApplied(ends[2])
    let file = try directory.file("log", .readWrite)
    try file.write([0], at: ends[0].offset)
    #expect(try journal.isClean())
    // The mark as another boot wrote it.
    try file.write(JournalHeader(generation: 0, applied: ends[2].offset, boot: JournalHeader.noBoot).bytes, at: 0)
    let bytes = try file.readAll()
    #expect(throws: StorageError.self) { try journal.unapplied() }
    #expect(try file.readAll() == bytes)
  }
}
