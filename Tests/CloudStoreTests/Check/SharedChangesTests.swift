import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Comparison of a share's log with its zone's log ([log-13])")
struct SharedChangesTests {
  private func change(
    _ sequence: Int64, _ record: ExactName, _ kind: ChangeLine.Kind = .save, from before: ExactName? = nil,
    to after: ExactName? = nil, type: String = "T"
  ) -> ChangeLine {
    ChangeLine(
      sequence: sequence, kind: kind, record: record, type: type, tag: "\(sequence)", device: "d", shareBefore: before,
      shareAfter: after)
  }

  private func log(_ lines: [(Int64, ShareLine.Kind, ExactName)], type: String = "T", horizon: Int64 = 0)
    -> IndependentShareLog
  {
    var writer = JSONWriter(isPretty: false)
    for (sequence, kind, record) in lines {
      ShareLine(sequence: sequence, kind: kind, record: record, type: type).encode(into: &writer)
    }
    let kept = Int64(lines.count { $0.0 <= horizon })
    let header = horizon == 0 ? [] : LogHeader(horizon: horizon, kept: kept).bytes
    return IndependentShareLog(header + writer.bytes, file: "S.jsonl", end: 1000)
  }

  private func texts(_ changes: [ChangeLine], horizon: Int64 = 0, _ log: IndependentShareLog) -> [String] {
    var shared = SharedChanges()
    shared.horizon = horizon
    for change in changes { shared.add(change) }
    return shared.differences(from: log, of: "S").map(\.text)
  }

  /// The share's own first line, and a record that enters the share.
  private var begin: [ChangeLine] { [change(1, "S", to: "S"), change(2, "a", to: "S")] }

  @Test("a share's log that matches the zone's log for added, changed, removed and deleted records has no difference")
  func sharesLogThatMatchesTheZonesLog() {
    #expect(texts(begin, log([(1, .inside, "S"), (2, .inside, "a")])) == [])
    let more = begin + [change(3, "a", from: "S", to: "S"), change(4, "b", to: "S"), change(5, "a", from: "S")]
    #expect(texts(more, log([(1, .inside, "S"), (4, .inside, "b"), (5, .outside, "a")])) == [])
    let deleted = more + [change(6, "b", .delete, from: "S")]
    #expect(texts(deleted, log([(1, .inside, "S"), (5, .outside, "a"), (6, .outside, "b")])) == [])
    // A touch line without shares belongs to no share's log.
    #expect(texts(begin + [change(7, "a", .touch)], log([(1, .inside, "S"), (2, .inside, "a")])) == [])
    // A change in another share.
    #expect(texts(begin + [change(7, "z", to: "R")], log([(1, .inside, "S"), (2, .inside, "a")])) == [])
  }

  @Test("the check reports a change of a known record that the share's log lacks")
  func lackingChange() {
    let log = log([(1, .inside, "S"), (2, .inside, "a")])
    #expect(
      texts(begin + [change(3, "a", from: "S", to: "S")], log) == ["it lacks the change of 'a' at sequence 3"])
    let left = begin + [change(3, "a", from: "S"), change(4, "a", to: "S")]
    #expect(
      texts(left, self.log([(1, .inside, "S"), (3, .outside, "a")])) == ["it lacks the change of 'a' at sequence 4"])
  }

  @Test("the check reports a removal that the share's log lacks, for records with and without a line in the log")
  func lackingEnd() {
    let moved = begin + [change(3, "a", from: "S", to: "R")]
    let text = "it does not say that 'a' left at sequence 3"
    #expect(texts(moved, log([(1, .inside, "S"), (2, .inside, "a")])) == [text])
    #expect(texts(moved, log([(1, .inside, "S")])) == [text])
    // Compaction may have removed the line.
    #expect(texts(moved, log([(1, .inside, "S")], horizon: 3)) == [])
    #expect(texts(moved, log([(1, .inside, "S")], horizon: 2)) == [text])
    // The record entered the share again and did not leave it since then.
    let back = moved + [change(4, "a", from: "R", to: "S")]
    #expect(texts(back, log([(1, .inside, "S")])) == [])
    // The record left before the share was created again.
    let again = moved + [change(4, "S", .delete, from: "S"), change(5, "S", to: "S")]
    #expect(texts(again, log([(5, .inside, "S")])) == [])
  }

  @Test("the check reports a share's line without a change in the zone's log, unless compaction may have removed it")
  func foreignLine() {
    let lines = log([(1, .inside, "S"), (2, .inside, "a"), (9, .inside, "x")])
    #expect(texts(begin, lines) == ["its line of 'x' at sequence 9 is no change of the zone's log"])
    #expect(texts(begin, horizon: 8, lines) == ["its line of 'x' at sequence 9 is no change of the zone's log"])
    #expect(texts(begin, horizon: 9, lines) == [])
    let out = log([(1, .inside, "S"), (9, .outside, "a")])
    #expect(texts(begin, out) == ["its line of 'a' at sequence 9 is no change of the zone's log"])
  }

  @Test("the check compares the type in a share's line with the zone's log byte by byte")
  func otherType() {
    let changes = [change(1, "S", to: "S", type: "\u{E9}")]
    #expect(texts(changes, log([(1, .inside, "S")], type: "\u{E9}")) == [])
    #expect(
      texts(changes, log([(1, .inside, "S")], type: "e\u{301}"))
        == ["the type in its line of 'S' is not the zone's log's"])
  }

  @Test("the check reports several differences in the order of the records' names")
  func checkReportsSeveralDifferencesInTheOrder() {
    let found = texts(begin, log([(7, .inside, "c"), (8, .inside, "b"), (9, .inside, "S")]))
    #expect(
      found
        == ["S", "b", "c"].map { name in
          "its line of '\(name)' at sequence \(["c": 7, "b": 8, "S": 9][name] ?? 0) is no change of the zone's log"
        })
  }
}
