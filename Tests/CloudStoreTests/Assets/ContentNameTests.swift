import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("File names of assets, and leases on files")
struct ContentNameTests {
  private let digest = Digest.hex128(Array("a".utf8))

  @Test("an asset's file name can be parsed again, and other texts are refused")
  func assetsFileNameCanBeParsedAgain() {
    for (size, number) in [(0, 1), (1, 2), (250_000_000, 10)] {
      let name = ContentName(digest: digest, size: size, number: number)
      #expect(ContentName(name.description) == name)
    }
    #expect(ContentName(digest: digest, size: 7, number: 1).description == "\(digest)-7")
    let wrong = [
      "", "-", "a", digest, "\(digest)-", "\(digest)--1", "\(digest)-+1", "\(digest)-01", "\(digest)-7-1",
      "\(digest)-7-0",
      "\(digest)-7-02", "\(digest)-7-2-3", "\(digest)-7-", "\(digest.uppercased())-7", "\(digest)a-7", "\(digest)-7/..",
      "../\(digest)-7", "\(digest)-7\u{0}", "\(digest)-99999999999999999999", " \(digest)-7", "\(digest)-٧",
    ]
    for text in wrong { #expect(ContentName(text) == nil, "\(text)") }
  }

  @Test("a journal entry for an asset is read only with a valid asset name and upload name")
  func journalEntry() throws {
    let name = ContentName(digest: digest, size: 7, number: 1)
    let entry = JournalEntry(
      previous: 1, sequence: 2, effects: [.move(.asset(name), from: "12ab.0"), .remove(.asset(name))])
    let read = try #require(
      JournalEntry(sequence: 2, payload: entry.payload(ZoneFolder.format)[...], ZoneFolder.format))
    #expect(read.effects == entry.effects)
    for upload in ["", "..", ".", "a/b", "a\u{0}"] {
      let hostile = JournalEntry(previous: 1, sequence: 2, effects: [.move(.asset(name), from: upload)])
      #expect(
        JournalEntry(sequence: 2, payload: hostile.payload(ZoneFolder.format)[...], ZoneFolder.format) == nil,
        "\(upload)")
    }
  }

  @Test("a lease excludes other processes until its owner ends it or terminates")
  func leaseExcludesOtherProcessesUntilItsOwner() throws {
    let path = MemoryFolder.newPath("leases")
    try Directory.make(path: path, in: FileSystem())
    defer { try? ScratchFolder.remove(path) }
    let folder = try Directory.open(path: path, in: FileSystem())
    var lease = try Lease.make("a", in: folder)
    #expect(lease != nil)
    #expect(try Lease.make("a", in: folder) == nil)
    #expect(try Lease.reap("a", in: folder) {} == false)
    lease = nil
    // The lease's file is now unlocked, as after the death of the owner's process.
    var reaped = false
    #expect(try Lease.reap("a", in: folder) { reaped = true })
    #expect(try reaped && !folder.exists("a"))
    #expect(try Lease.reap("b", in: folder) {})
    let second = try #require(try Lease.make("a", in: folder))
    try second.end()
    #expect(try folder.entries() == [])
  }
}
