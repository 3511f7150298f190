import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Unsynced frames of a journal, and headers")
struct JournalSecuringTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("journal-securing")
    directory = folder.directory
    try directory.writeStaged("log", JournalHeader(boot: JournalHeader.boot(of: directory.fileSystem)).bytes)
  }

  private func entry(_ number: Int64) -> JournalEntry {
    JournalEntry(
      previous: number - 1, sequence: number, effects: [.append(.changeLog, offset: 0, Array("line \(number)\n".utf8))])
  }

  /// Appends one applied entry and then `count` unsynced entries.
  private func leave(_ count: Int64) throws -> (journal: Journal, ends: [Journal.Position]) {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    var ends = [try journal.append(entry(1))]
    try journal.markApplied(ends[0])
    for number in 2..<(2 + count) {
      let end = try #require(ends.last)
      ends.append(
        try #require(try journal.appendUnsynced(entry(number).payload(ZoneFolder.format), sequence: number, at: end)))
    }
    return (journal, ends)
  }

  @Test("a header's applied offset is never before the frames, and a truncated or changed header is invalid")
  func headersAppliedOffsetIsNever() throws {
    let boot = [UInt8](repeating: 7, count: 16)
    for applied in [0, 47, 48, 49, 1 << 40] {
      let header = try #require(JournalHeader(JournalHeader(generation: 3, applied: applied, boot: boot).bytes))
      #expect(header == JournalHeader(generation: 3, applied: max(48, applied), boot: boot))
    }
    let bytes = JournalHeader(boot: boot).bytes
    #expect(bytes.count == JournalHeader.size && JournalHeader(bytes + [1]) != nil)
    #expect(JournalHeader(Array(bytes.dropLast())) == nil)
    for offset in bytes.indices {
      var garbled = bytes
      garbled[offset] ^= 1
      #expect(JournalHeader(garbled) == nil, "\(offset)")
    }
  }

  @Test("the next process syncs unsynced entries up to the requested end and returns them")
  func nextProcessSyncsUnsyncedEntriesUp() throws {
    let (_, ends) = try leave(3)
    let fileSystem = FileSystem()
    let journal = try Journal(in: try folder.open(fileSystem), name: "log", ZoneFolder.format)
    let syncs = fileSystem.fileSyncs.load(ordering: .relaxed)
    let secured = try #require(try journal.secureLeft(upTo: ends[2]))
    #expect(secured.entries.map(\.sequence) == [2, 3, 4])
    #expect(secured.end == ends[3])
    #expect(fileSystem.fileSyncs.load(ordering: .relaxed) == syncs + 1)
    let beyond = Journal.Position(generation: 0, offset: ends[3].offset + 1)
    #expect(try journal.secureLeft(upTo: ends[3]) != nil && journal.secureLeft(upTo: beyond) == nil)
    #expect(try journal.secureLeft(upTo: Journal.Position(generation: 1, offset: 48)) == nil)
    // No unsynced entries are left, so there is nothing to sync.
    try journal.markApplied(ends[3])
    let before = fileSystem.fileSyncs.load(ordering: .relaxed)
    #expect(try journal.secureLeft(upTo: ends[3])?.entries.isEmpty == true)
    #expect(fileSystem.fileSyncs.load(ordering: .relaxed) == before)
    try journal.distrust()
    #expect(try journal.secureLeft(upTo: ends[3]) == nil && !journal.isClean())
  }

  @Test("an end is applied by the mark or by a later generation, and is uncertain after a repair")
  func endIsAppliedByTheMark() throws {
    let (journal, ends) = try leave(2)
    #expect(try journal.includes(ends[0]) && !journal.includes(ends[1]))
    try journal.markApplied(ends[1])
    #expect(try journal.includes(ends[1]) && !journal.includes(ends[2]))
    try journal.markApplied(ends[2])
    try journal.checkpoint()
    #expect(try journal.includes(ends[2]) && journal.end() == Journal.Position(generation: 1, offset: 48))
    let later = try journal.append(entry(5))
    #expect(try !journal.includes(later))
    try journal.markApplied(later)
    #expect(try journal.includes(later))
    try journal.reset()
    #expect {
      try journal.includes(later)
    } throws: { error in
      guard case StorageError.uncertain(let path, let reason) = error else { return false }
      return path == journal.path && reason == "the folder was repaired before the commit was known to be kept"
    }
    try journal.distrust()
    #expect(try !journal.includes(ends[0]))
  }

  @Test("an entry that is not applied prevents the next append")
  func entryThatIsNotAppliedPrevents() throws {
    let (journal, _) = try leave(1)
    #expect {
      try journal.append(entry(3))
    } throws: { error in
      guard case StorageError.unapplied(let path, let reason) = error else { return false }
      return path == journal.path && reason == "an entry that is not in the files yet"
    }
    #expect(try journal.unapplied().entries.map(\.sequence) == [2])
  }

  @Test("a new zone's journal gets its boot identifier once, and any other header is unchanged")
  func markingNew() throws {
    let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
    let file = try directory.file("log", .readWrite)
    try file.write(JournalHeader(generation: 2, boot: JournalHeader.noBoot).bytes, at: 0)
    #expect(try !journal.isClean())
    try journal.markNew()
    #expect(try journal.isClean() && journal.header()?.generation == 2)
    let others = [
      JournalHeader(applied: 49, boot: JournalHeader.noBoot), JournalHeader(boot: [UInt8](repeating: 9, count: 16)),
    ]
    for header in others {
      try file.write(header.bytes, at: 0)
      try journal.markNew()
      try journal.distrust()
      #expect(try journal.header() == header)
    }
  }

  @Test("few frame starts behind a broken frame are searched, and too many are reported as damage")
  func manyBeginnings() throws {
    let magic = Array(JournalFrame.bytes([], sequence: 1, generation: 0).prefix(4))
    for (count, isDamage) in [(100, false), (1000, true)] {
      let beginnings = (0..<count).flatMap { _ in magic }
      var search = JournalFrameSearch(beginnings, generation: nil)
      let found = search.next(from: 0)
      #expect(found == nil)
      #expect(search.isExhausted == isDamage)
      // The header cannot be read.
      try directory.writeStaged("log", [UInt8](repeating: 0, count: JournalHeader.size) + beginnings)
      let journal = try Journal(in: directory, name: "log", ZoneFolder.format)
      let reason = reasonOfDamage { try journal.unapplied() }
      #expect(
        reason == (isDamage ? "a broken entry at byte 48 and too much like one behind it" : nil), "\(count)")
      #expect(try journal.wholeEntries().isEmpty)
    }
  }

  @Test("a reader without write permission can neither append nor recover entries, until it gets the permission")
  func readOnly() throws {
    let (_, ends) = try leave(1)
    let opens = Counter()
    let fileSystem = FileSystem(observing: .allCalls) { call in
      if case .openFile = call, opens.next() == 1 { return .fail(SystemError.accessDenied) }
      return .proceed
    }
    let journal = try Journal(in: try folder.open(fileSystem), name: "log", ZoneFolder.format)
    #expect(try !journal.isWritable && journal.isCurrent())
    let denied = SystemError(code: SystemError.accessDenied, call: "open", path: journal.path, isWrite: true)
    #expect(throws: denied) { try journal.unapplied() }
    #expect(throws: denied) { try journal.secureLeft(upTo: ends[1]) }
    #expect(journal.becameWritable())
    let writable = try Journal(in: directory, name: "log", ZoneFolder.format)
    #expect(!writable.becameWritable())
    #expect(writable.isWritable)
    try directory.writeStaged("new", [])
    try directory.rename("new", to: directory, as: "log")
    #expect(try !writable.isCurrent())
  }
}
