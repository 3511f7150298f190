import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Lines of a zone's log")
struct ChangeLineTests {
  private let line = ChangeLine(sequence: 5, kind: .save, record: "r", type: "T", tag: "5", device: "d")

  private func text(_ line: ChangeLine) -> String {
    var writer = JSONWriter(isPretty: false)
    line.encode(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func record(_ fields: JSONObject, _ members: JSONObject = [:]) -> StoredRecord {
    var object: JSONObject = [
      "fields": .object(fields), "modified": ["timestamp": .integer(Int64(fields.count))], "recordName": "r",
      "recordType": "T", "recordChangeTag": "1",
    ]
    for (key, value) in members { object[key] = value }
    return StoredRecord(object)
  }

  private func recorded(from before: StoredRecord?, to after: StoredRecord) -> ChangeLine {
    var line = line
    line.recordDifference(from: before, to: after)
    return line
  }

  @Test("a line from before authors and fields were recorded is read without them, and written as it was")
  func olderLine() throws {
    let old =
      #"{"device":"d","digest":"576304aa1b221682","kind":"save","recordChangeTag":"5","recordName":"r","#
      + #""recordType":"T","sequence":5}"#
    let line = try #require(ChangeLine(JSONValue(parsing: old)))
    #expect(line.stamp == nil && line.fields == nil && line.members == nil)
    #expect(text(line) == old + "\n")
  }

  @Test("a stamp without a time, or with a member of another type, counts as not recorded")
  func partialStamp() throws {
    var line = line
    line.stamp = ChangeStamp(milliseconds: 7, user: "_a", device: "phone")
    var object = try #require(JSONValue(parsing: text(line)).object)
    #expect(ChangeLine(.object(object))?.stamp == line.stamp)
    for (key, wrong) in [("time", [nil, "7", []]), ("user", [1, []]), ("userDevice", [true, []])]
      as [(String, [JSONValue?])]
    {
      let value = object[key]
      for wrong in wrong {
        object[key] = wrong
        let read = try #require(ChangeLine(.object(object)))
        #expect(read.stamp == nil, "\(key)")
      }
      object[key] = value
    }
    for wrong: JSONValue in [1, [], ["a"]] {
      object["fields"] = wrong
      #expect(ChangeLine(.object(object))?.fields == nil)
    }
  }

  @Test("a change by the zone's owner on the creating device has only the time")
  func shortStamp() throws {
    var line = line
    line.stamp = ChangeStamp(milliseconds: 7, user: nil, device: "d")
    let short = text(line)
    #expect(short.hasSuffix(#""sequence":5,"time":7}"# + "\n"))
    #expect(try ChangeLine(JSONValue(parsing: short))?.stamp == line.stamp)
    line.stamp?.device = "phone"
    #expect(text(line).hasSuffix(#""time":7,"userDevice":"phone"}"# + "\n"))
    // Before 1970.
    line.stamp?.milliseconds = -7
    #expect(try ChangeLine(JSONValue(parsing: text(line)))?.stamp == line.stamp)
  }

  @Test("a save records the names of added, changed and removed fields and members, and no member of each version")
  func names() {
    let before = record(["a": 1, "b": 1, "c": 1], ["parent": ["recordName": "p"], "x-local": ["sequence": 1]])
    let after = record(["b": 2, "c": 1, "d": 1], ["share": ["recordName": "s"], "x-local": ["sequence": 2]])
    let line = recorded(from: before, to: after)
    #expect(line.fields == ["a", "b", "d"])
    #expect(line.members == ["parent", "share"])
    #expect(recorded(from: nil, to: after).fields == ["b", "c", "d"])
    let same = recorded(from: after, to: after)
    #expect(same.fields == [] && same.members == nil)
    #expect(text(same).contains(#""fields":"","#))
    #expect(!text(same).contains("members"))
  }

  @Test("names of up to 1024 bytes are recorded, and none of longer ones, by [log-19]")
  func longNames() {
    let longest = String(repeating: "n", count: 511)
    #expect(recorded(from: nil, to: record([longest: 1, "m" + longest.dropFirst(): 1])).fields?.count == 2)
    let line = recorded(from: nil, to: record([longest: 1, "m" + longest: 1]))
    #expect(line.fields == nil && line.members == nil)
  }

  @Test("a line with all keys is read without a parser when the log is compacted, and stays as it is")
  func compaction() throws {
    var line = recorded(from: nil, to: record(["a": 1], ["parent": ["recordName": "p"]]))
    line.stamp = ChangeStamp(milliseconds: 7, user: "_a", device: "phone")
    let bytes = Array(text(line).utf8.dropLast())
    var keys: [String] = []
    let isPlain = bytes.withUnsafeBufferPointer { bytes in
      FastObjectReader.forEachMember(of: bytes) { key, _ in keys.append(String(decoding: key, as: UTF8.self)) }
    }
    #expect(isPlain)
    #expect(["fields", "members", "time", "user", "userDevice"].allSatisfy(keys.contains))
  }
}
