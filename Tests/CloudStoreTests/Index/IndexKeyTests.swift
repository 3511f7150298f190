import FaultInjection
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("The keys of a zone's index")
struct IndexKeyTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func big(_ last: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, last] }

  private let asset = ContentName(digest: String(repeating: "0a", count: 16), size: 5, number: 1)

  @Test("a key is a letter for its kind, a name, a zero byte and the bytes that distinguish keys of one name")
  func keyIsALetterForItsKind() throws {
    #expect(IndexKey.children("p") == bytes("pp\0"))
    #expect(IndexKey.child("p", "c") == bytes("pp\0c"))
    #expect(IndexKey.referrers("t") == bytes("rt\0"))
    #expect(IndexKey.referrer("t", "r") == bytes("rt\0r"))
    #expect(IndexKey.validators("t") == bytes("vt\0"))
    #expect(IndexKey.validator("t", "r") == bytes("vt\0r"))
    #expect(IndexKey.typed("Note") == bytes("tNote\0"))
    #expect(IndexKey.typed("Note", "n") == bytes("tNote\0n"))
    #expect(IndexKey.allTyped == bytes("t"))
    #expect(IndexKey.coverage == bytes("c"))
    #expect(IndexKey.members("s") == bytes("ms\0"))
    #expect(IndexKey.member("s", "r") == bytes("ms\0r\0"))
    #expect(IndexKey.member("s", "r", 3) == bytes("ms\0r\0") + big(3))
    #expect(IndexKey.holders(asset) == bytes("a\(asset)\0"))
    #expect(IndexKey.asset(asset, "r") == bytes("a\(asset)\0r"))
    #expect(IndexKey.live(nil) == bytes("s\0"))
    #expect(IndexKey.live("s") == bytes("ss\0"))
    #expect(IndexKey.live("s", 9, "r") == bytes("ss\0") + big(9) + bytes("r"))
    #expect(IndexKey.gone(nil) == bytes("d\0"))
    #expect(IndexKey.gone("s") == bytes("ds\0"))
    #expect(IndexKey.gone("s", 9, "r", type: "T") == bytes("ds\0") + big(9) + bytes("r\0T"))
    #expect(IndexKey.gone(by: "dev") == bytes("odev\0"))
    #expect(IndexKey.gone(by: "dev", 9, "r", type: "T") == bytes("odev\0") + big(9) + bytes("r\0T"))
    let field = try #require(IndexedField(type: "T", name: "f"))
    #expect(IndexKey.values(of: field) == bytes("fT\0f\0"))
    #expect(IndexKey.value([7, 0], of: field, "r") == bytes("fT\0f\0") + [7, 0, 0] + bytes("r"))
    #expect(IndexKey.coverage(field, .complete) == bytes("cT\0f\0") + [1])
    #expect(IndexKey.coverage(field, .through("r")) == bytes("cT\0f\0") + [0] + bytes("r"))
    #expect(IndexKey.name(in: bytes("pp\0child"), after: bytes("pp\0")) == "child")
  }

  @Test("the start of a feed's keys after a sequence is right for all sequences, also the first and the last")
  func startOfAFeedsKeys() {
    #expect(IndexKey.after(0, in: bytes("s\0")) == bytes("s\0") + big(1))
    #expect(IndexKey.after(-1, in: []) == big(0))
    #expect(IndexKey.after(-2, in: []) == big(0))
    #expect(IndexKey.after(.min, in: []) == big(0))
    let last: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(IndexKey.after(.max, in: []) == last)
    #expect(IndexKey.after(.max - 1, in: []) == last)
    #expect(IndexKey.after(.max - 2, in: []) == Array(last.dropLast()) + [0xFE])
  }

  @Test("events of a feed are parsed from its keys, and other keys are refused")
  func eventsOfAFeedAreParsed() throws {
    let live = try #require(IndexKey.event(in: IndexKey.live("s", 258, "r"), after: IndexKey.live("s")))
    #expect(live.sequence == 258)
    #expect(live.record == "r")
    #expect(live.type == "")
    let gone = try #require(IndexKey.event(in: IndexKey.gone(nil, 1 << 60, "r", type: "T"), after: IndexKey.gone(nil)))
    #expect(gone.sequence == 1 << 60)
    #expect(gone.record == "r")
    #expect(gone.type == "T")
    #expect(IndexKey.event(in: IndexKey.live(nil, 1, ""), after: IndexKey.live(nil)) == nil)
    #expect(IndexKey.event(in: IndexKey.live(nil), after: IndexKey.live(nil)) == nil)
  }

  @Test("types and assets are parsed from their keys, and other keys are refused")
  func readAgain() throws {
    let typed = try #require(IndexKey.typed(in: IndexKey.typed("Note", "n")))
    #expect(typed.type == "Note")
    #expect(typed.name == "n")
    #expect(IndexKey.typed(in: bytes("tNote")) == nil)
    #expect(IndexKey.asset(in: IndexKey.asset(asset, "r")) == asset)
    #expect(IndexKey.asset(in: IndexKey.holders(asset)) == asset)
    for key in [[], bytes("a"), bytes("ax\0r"), bytes("b\(asset)\0r"), bytes("\(asset)\0r")] {
      #expect(IndexKey.asset(in: key) == nil)
    }
  }

  @Test("the extent of a field's coverage is parsed from its key, and other keys are refused")
  func extentOfAFieldsCoverageIsParsed() throws {
    let field = try #require(IndexedField(type: "T", name: "f"))
    for extent in [FieldCoverage.Extent.complete, .through("r"), .through("")] {
      let read = try #require(IndexKey.coverage(in: IndexKey.coverage(field, extent)))
      #expect(read.0 == field)
      #expect(read.1 == extent)
    }
    for text in ["c", "cT", "cT\0f", "cT\0f\0"] { #expect(IndexKey.coverage(in: bytes(text)) == nil, "\(text)") }
    #expect(IndexKey.isOfFields(bytes("cT\0f\0")))
    #expect(IndexKey.isOfFields(bytes("fT\0f\0")))
    for text in ["", "tT\0f\0", "s\0", "a\0", "d\0", "g\0"] {
      #expect(!IndexKey.isOfFields(bytes(text)), "\(text)")
    }
    #expect(FieldCoverage.Extent.complete.includes("z"))
    let through = FieldCoverage.Extent.through("m")
    #expect(through.includes("a"))
    #expect(through.includes("m"))
    #expect(!through.includes("m0"))
    #expect(!through.includes("n"))
  }

  @Test("a field can be indexed if its type and name have no zero byte and at most 1024 bytes together")
  func fieldCanBeIndexedIfItsType() {
    func isPossible(_ type: String, _ name: String) -> Bool { IndexedField(type: type, name: name) != nil }
    func long(_ count: Int) -> String { String(repeating: "n", count: count) }
    #expect(isPossible("T", "f"))
    #expect(isPossible(long(512), long(512)))
    #expect(isPossible("T", long(1023)))
    #expect(!isPossible(long(512), long(513)))
    #expect(!isPossible(long(513), long(512)))
    #expect(!isPossible("T", long(1024)))
    #expect(!isPossible("", "f"))
    #expect(!isPossible("T", ""))
    #expect(!isPossible("T\0", "f"))
    #expect(!isPossible("T", "f\0g"))
  }

  @Test("an index returns each covered field's extent and the covered fields of a type")
  func fieldsOfAnIndex() throws {
    let folder = try TemporaryFolder("index")
    let index = try IndexFile.build(
      in: folder.directory, name: "index", of: 0, sortedKeys: [[UInt8]](), sequence: 0)
    #expect(try FieldCoverage(index).isEmpty && FieldCoverage.none.isEmpty)
    let fields = [("A", "x"), ("A", "y"), ("B", "x")].map { IndexedField(known: $0.0, $0.1) }
    try index.apply(
      insert: [
        IndexKey.coverage(fields[0], .complete), IndexKey.coverage(fields[1], .through("r")),
        IndexKey.coverage(fields[2], .through("")), IndexKey.typed("A", "r"), IndexKey.children("p"),
      ], remove: [], sequence: 1)
    let coverage = try FieldCoverage(index)
    #expect(!coverage.isEmpty && coverage.fields(of: "A") == [fields[0], fields[1]])
    #expect(coverage.fields(of: "B") == [fields[2]])
    #expect(coverage.fields(of: "C") == [])
    #expect(coverage[fields[0]] == .complete)
    #expect(coverage[fields[1]] == .through("r"))
    #expect(coverage[IndexedField(known: "B", "y")] == nil)
    #expect(Set(coverage.fields) == Set(fields))
  }

  @Test("changes, share lines and records have the expected index keys")
  func keysOfLines() throws {
    let removal = ChangeLine(sequence: 4, kind: .delete, record: "r", type: "T", tag: "4", device: "dev")
    #expect(
      IndexKey.keys(ofRemoval: removal)
        == [IndexKey.gone(nil, 4, "r", type: "T"), IndexKey.gone(by: "dev", 4, "r", type: "T")])
    let inside = ShareLine(sequence: 5, kind: .inside, record: "r", type: "T")
    #expect(IndexKey.keys(of: inside, in: "s") == [IndexKey.member("s", "r", 5), IndexKey.live("s", 5, "r")])
    let outside = ShareLine(sequence: 6, kind: .outside, record: "r", type: "T")
    #expect(IndexKey.keys(of: outside, in: "s") == [IndexKey.gone("s", 6, "r", type: "T")])
    var record = StoredRecord(["recordName": "r", "recordType": "T", "x-local": ["sequence": 8]])
    #expect(IndexKey.keys(of: record) == [IndexKey.typed("T", "r"), IndexKey.live(nil, 8, "r")])
    record.object["parent"] = ["recordName": "p"]
    record.object["fields"] = [
      "a": ["value": ["fileChecksum": .string(asset.description)]],
      "o": ["value": ["recordName": "owner", "action": "DELETE_SELF"]],
      "v": ["value": ["recordName": "target", "action": "VALIDATE"]],
    ]
    #expect(
      IndexKey.keys(of: record) == [
        IndexKey.typed("T", "r"), IndexKey.live(nil, 8, "r"), IndexKey.child("p", "r"), IndexKey.referrer("owner", "r"),
        IndexKey.validator("target", "r"), IndexKey.asset(asset, "r"),
      ])
  }

  @Test("in a delta, inserting and removing a key cancel out, and each key is removed once")
  func inADeltaInsertingAndRemoving() {
    var difference = IndexDelta()
    difference.insert([1])
    difference.remove([2])
    #expect(difference.inserted == [[1]])
    #expect(difference.removed == [[2]])
    difference.remove([1])
    difference.insert([2])
    #expect(difference.inserted.isEmpty)
    #expect(difference.removed.isEmpty)
    difference.replace([[1], [1], [2]], with: [[2], [3], [3]])
    #expect(difference.removed == [[1]])
    #expect(difference.inserted == [[3]])
    difference.replace([[3]], with: [])
    difference.replace([], with: [[1]])
    #expect(difference.inserted.isEmpty)
    #expect(difference.removed.isEmpty)
  }
}
