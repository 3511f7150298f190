import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("JSON that is written piece by piece")
struct PiecewiseJSONTests {
  private static let names = ["n1", "a \"b\\c\"", "tab\there", "日本 é", "_"]

  @Test(
    "a journal entry's description has the same bytes as its JSON value, for every combination of members",
    arguments: 0..<64)
  func journalEntrysDescriptionHasTheSameBytes(parts: Int) throws {
    func has(_ part: Int) -> Bool { parts & 1 << part != 0 }
    var entry = JournalEntry(previous: 6, sequence: 7, effects: [])
    let asset = try #require(ContentName(String(repeating: "0a", count: 16) + "-5"))
    if has(0) {
      for name in Self.names {
        entry.effects += [.replace(.record(ExactName(name)), Array(name.utf8)), .remove(.shareLog(ExactName(name)))]
      }
    }
    if has(1) {
      entry.effects += [
        .append(.changeLog, offset: 1 << 40, []), .move(.asset(asset), from: "u"),
        .compact(
          JournalEntry.Compaction(path: .changeLog, horizon: 1, superseded: 2, from: 3, size: 4, digest: "d", tail: 5)),
        .removeFolder,
      ]
    }
    var effects = ObserverEffects()
    var mentions: [ZoneMention] = []
    if has(2) { entry.indexInsertions = [[1, 2], [], [UInt8](repeating: 7, count: 300)] }
    if has(3) {
      entry.indexRemovals = [[9]]
      entry.joined = 12
    }
    if has(4) {
      let database = DatabasePath(container: "iCloud.test", environment: "development", scope: ["private", "alice"])
      mentions = [ZoneMention(database: database, zone: "Z", owner: "_bob", fields: ["a": 1.5])]
    }
    if has(5) {
      for toy in ["d\"1", "ball"] {
        effects.append(to: "play") { .string("\(toy) \($0.history) \($0.sequence) \($1)") }
      }
      effects.append(to: "before") { _, _ in ["zone": "Z"] }
    }
    entry.extra = effects.members(of: CommitMark(history: "h", sequence: 7))
    if has(5) { #expect(entry.extra == ["before": [["zone": "Z"]], "play": ["d\"1 h 7 0", "ball h 7 1"]]) }
    entry.extra.setMentions(mentions)
    let payload = entry.payload(ZoneFolder.format)
    let text = Array(payload[4..<(4 + Int(payload.littleEndian(UInt32.self, at: 0)))])
    #expect(try JSONValue(parsing: text).compact() == text)
    let back = try #require(JournalEntry(sequence: 7, payload: payload[...], ZoneFolder.format))
    #expect(back.effects == entry.effects)
    #expect(back.extra == entry.extra)
    #expect(back.joined == entry.joined)
    #expect(back.previous == 6)
    #expect(back.extra.mentions == mentions)
    #expect(back.indexInsertions == entry.indexInsertions)
    #expect(back.indexRemovals == entry.indexRemovals)
  }

  @Test(
    "lines of the change log have the same bytes as their JSON values, for every combination of members",
    arguments: 0..<256)
  func linesOfTheChangeLog(parts: Int) throws {
    func has(_ part: Int) -> Bool { parts & 1 << part != 0 }
    var writer = JSONWriter(isPretty: false)
    var lines: [ChangeLine] = []
    for name in Self.names {
      var line = ChangeLine(
        sequence: .max, kind: has(0) ? .touch : .save, record: ExactName(name), type: "Note", tag: "1z", device: name)
      if has(1) { line.parent = ExactName(name) }
      if has(2) { line.digest = name }
      if has(3) { line.superseded = -1 }
      if has(4) { line.operation = name }
      if has(5) { (line.shareBefore, line.shareAfter) = (ExactName(name), "s") }
      if has(6) { line.stamp = ChangeStamp(milliseconds: 1_769_860_800_000, user: "_a", device: name) }
      if has(7) { (line.fields, line.members) = (["a", "b_2"], has(0) ? ["parent"] : nil) }
      line.encode(into: &writer)
      lines.append(line)
    }
    let texts = writer.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    #expect(texts.count == lines.count + 1)
    #expect(texts.last == [])
    for (text, line) in zip(texts, lines) {
      let value = try JSONValue(parsing: text)
      #expect(value.compact() == text)
      #expect(ChangeLine(value) == line)
    }
  }

  @Test("a line of a share's log has the same bytes as its JSON value")
  func shareLine() throws {
    for name in Self.names {
      for kind in [ShareLine.Kind.inside, .outside] {
        let line = ShareLine(sequence: .max, kind: kind, record: ExactName(name), type: name)
        var writer = JSONWriter(isPretty: false)
        line.encode(into: &writer)
        let value = try JSONValue(parsing: writer.bytes.dropLast())
        #expect(value.compact() + [0x0A] == writer.bytes)
        #expect(ShareLine(value) == line)
      }
    }
  }
}
