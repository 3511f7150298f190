import TestSupport
import Testing

/// A history by hand. Times are small numbers.
private struct History: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// A part of the expected problem; nil: the history is correct.
  let problem: String?
  let operations: [HistoryOperation]

  init(_ name: String, problem: String? = nil, _ operations: [HistoryOperation]) {
    (testDescription, self.problem, self.operations) = (name, problem, operations)
  }
}

private let zone = "alice/Notes"

private func operation(
  _ client: Int, _ start: UInt64, _ end: UInt64?, _ call: HistoryCall, _ result: HistoryResult?
) -> HistoryOperation {
  HistoryOperation(client: client, call, start: start, end: end, result)
}

/// A batch that succeeded.
private func wrote(_ client: Int, _ start: UInt64, _ end: UInt64, _ writes: HistoryWrite...) -> HistoryOperation {
  let saved = writes.filter { $0.value != nil }.map {
    HistoryVersion($0.record, $0.value, tag: $0.value.map { "t" + $0 })
  }
  return operation(client, start, end, .write(zone: zone, writes), .done(saved))
}

/// A batch of a client that was killed.
private func died(_ client: Int, _ start: UInt64, _ end: UInt64?, _ writes: HistoryWrite...) -> HistoryOperation {
  operation(client, start, end, .write(zone: zone, writes), nil)
}

private func read(_ client: Int, _ start: UInt64, _ end: UInt64, _ values: [String: String?]) -> HistoryOperation {
  operation(
    client, start, end, .read(zone: zone, records: values.keys.sorted()),
    .done(values.map { HistoryVersion($0.key, $0.value) }))
}

private func page(
  _ client: Int, _ start: UInt64, _ end: UInt64, isFromStart: Bool = false, _ changed: [(String, String)] = [],
  deleted: [String] = [], moreComing: Bool = false
) -> HistoryOperation {
  operation(
    client, start, end, .readZoneFeed(zone: zone, isFromStart: isFromStart),
    .page(changed: changed.map { HistoryVersion($0.0, $0.1) }, deleted: deleted, moreComing: moreComing))
}

private func databasePage(
  _ start: UInt64, _ end: UInt64, isFromStart: Bool = false, _ listed: [String]
) -> HistoryOperation {
  operation(
    9, start, end, .readDatabaseFeed(database: "alice/private", zones: [zone], isFromStart: isFromStart),
    .databasePage(zones: listed, moreComing: false))
}

private func refused(
  _ start: UInt64, _ end: UInt64, _ code: String, _ seen: [HistoryVersion], _ writes: HistoryWrite...
) -> HistoryOperation {
  operation(1, start, end, .write(zone: zone, writes), .refused(code: code, seen: seen))
}

@Suite("The checker of histories")
struct HistoryCheckerTests {
  private static let violations = [
    History(
      "an acknowledged write is lost", problem: "no order explains client 2",
      [wrote(1, 1, 2, .init("a", "1")), wrote(1, 3, 4, .init("a", "2")), read(2, 5, 6, ["a": "1"])]),
    History(
      "an acknowledged first save is lost", problem: "no order explains client 2",
      [wrote(1, 1, 2, .init("a", "1")), read(2, 3, 4, ["a": nil])]),
    History(
      "a read is older than a read that ended before it", problem: "no order explains client 3",
      [wrote(1, 1, 10, .init("a", "1")), read(2, 2, 3, ["a": "1"]), read(3, 4, 5, ["a": nil])]),
    History(
      "a read sees half of a batch", problem: "no order explains client 2",
      [wrote(1, 1, 10, .init("a", "1"), .init("b", "1")), read(2, 2, 3, ["a": "1", "b": nil])]),
    History(
      "two reads see two batches in different orders", problem: "no order explains client",
      [
        wrote(1, 1, 10, .init("a", "1")), wrote(2, 1, 10, .init("b", "2")), read(3, 2, 9, ["a": "1", "b": nil]),
        read(4, 2, 9, ["a": nil, "b": "2"]),
      ]),
    History(
      "two saves from the same tag succeed", problem: "no order explains client",
      [
        wrote(1, 1, 2, .init("a", "1")), wrote(1, 3, 6, .init("a", "2", .unchanged("1"))),
        wrote(2, 3, 6, .init("a", "3", .unchanged("1"))),
      ]),
    History(
      "two creations of one record succeed", problem: "no order explains client",
      [wrote(1, 1, 5, .init("a", "1", .absent)), wrote(2, 1, 5, .init("a", "2", .absent))]),
    History(
      "a save is refused, though the record has not changed", problem: "a meets the save's condition",
      [
        wrote(1, 1, 2, .init("a", "1")),
        refused(3, 4, "serverRecordChanged", [.init("a", "1")], .init("a", "2", .unchanged("1"))),
      ]),
    History(
      "a save without a condition is refused for a change of the record", problem: "a meets the save's condition",
      [wrote(1, 1, 2, .init("a", "1")), refused(3, 4, "serverRecordChanged", [.init("a", "1")], .init("a", "2"))]),
    History(
      "a conflict does not show the cloud's record", problem: "a conflict without the cloud's record",
      [
        wrote(1, 1, 2, .init("a", "1")), refused(3, 4, "serverRecordChanged", [], .init("a", "2", .absent)),
        read(2, 5, 6, ["a": "1"]),
      ]),
    History(
      "a refused save takes effect", problem: "no order explains client 2",
      [
        wrote(1, 1, 2, .init("a", "1")),
        refused(3, 4, "serverRecordChanged", [.init("a", "1")], .init("a", "2", .absent)), read(2, 5, 6, ["a": "2"]),
      ]),
    History(
      "a deleted record returns", problem: "no order explains client 2",
      [wrote(1, 1, 2, .init("a", "1")), wrote(1, 3, 4, .init("a", nil)), read(2, 5, 6, ["a": "1"])]),
    History(
      "the save of a killed client is seen, and then not seen", problem: "no order explains client 3",
      [died(1, 1, nil, .init("a", "1")), read(2, 2, 3, ["a": "1"]), read(3, 4, 5, ["a": nil])]),
    History(
      "the save of a killed client takes effect after its death", problem: "no order explains client 3",
      [died(1, 1, 2, .init("a", "1")), read(2, 3, 4, ["a": nil]), read(3, 5, 6, ["a": "1"])]),
    History(
      "half of a killed client's batch is seen", problem: "no order explains client 2",
      [died(1, 1, 2, .init("a", "1"), .init("b", "1")), read(2, 3, 4, ["a": "1", "b": nil])]),
    History("a value was never saved", problem: "no request saved 7", [read(2, 3, 4, ["a": "7"])]),
    History(
      "a tag belongs to two values", problem: "the tag t of a",
      [
        wrote(1, 1, 2, .init("a", "1")), wrote(1, 5, 6, .init("a", "2")),
        operation(2, 3, 4, .read(zone: zone, records: ["a"]), .done([.init("a", "1", tag: "t")])),
        operation(2, 7, 8, .read(zone: zone, records: ["a"]), .done([.init("a", "2", tag: "t")])),
      ]),
    History(
      "a feed lacks a change", problem: "no order explains client 2",
      [
        page(2, 1, 2, isFromStart: true), wrote(1, 3, 4, .init("a", "1")), wrote(1, 5, 6, .init("b", "2")),
        page(2, 7, 8, [("b", "2")]),
      ]),
    History(
      "a feed lacks a deletion", problem: "no order explains client 2",
      [
        wrote(1, 1, 2, .init("a", "1")), page(2, 3, 4, isFromStart: true, [("a", "1")]),
        wrote(1, 5, 6, .init("a", nil)), page(2, 7, 8),
      ]),
    History(
      "a feed has two changes in the wrong order", problem: "the feed has 2 before 1",
      [
        wrote(1, 1, 2, .init("a", "1")), wrote(1, 3, 4, .init("b", "2")),
        page(2, 5, 6, isFromStart: true, [("b", "2")], moreComing: true), page(2, 7, 8, [("a", "1")]),
      ]),
    History(
      "a zone's records outlive its deletion", problem: "no order explains client 2",
      [
        wrote(1, 1, 2, .init("a", "1")), operation(1, 3, 4, .deleteZone(zone), .done([])),
        operation(1, 5, 6, .createZone(zone), .done([])), read(2, 7, 8, ["a": "1"]),
      ]),
    History(
      "a zone is missing, though no request deleted it", problem: "no order explains client 1",
      [wrote(2, 1, 2, .init("a", "1")), refused(3, 4, "zoneNotFound", [], .init("a", "2"))]),
    History(
      "a database's feed lists a zone before its change takes effect, and not again",
      problem: "no order explains client 2",
      [
        databasePage(1, 2, isFromStart: true, [zone]), wrote(1, 3, 10, .init("a", "1")), databasePage(4, 5, [zone]),
        read(2, 6, 7, ["a": nil]), databasePage(11, 12, []),
      ]),
    History(
      "a database's feed lacks a zone", problem: "the feed lacks alice/Notes",
      [databasePage(1, 2, isFromStart: true, [zone]), wrote(1, 3, 4, .init("a", "1")), databasePage(5, 6, [])]),
  ]

  private static let correct = [
    History(
      "the save of a killed client is never seen",
      [died(1, 1, nil, .init("a", "1")), read(2, 2, 3, ["a": nil]), read(3, 4, 5, ["a": nil])]),
    History(
      "the save of a killed client is seen late, if it may take effect at any time",
      [died(1, 1, nil, .init("a", "1")), read(2, 2, 3, ["a": nil]), read(3, 4, 5, ["a": "1"])]),
    History(
      "the deletion of a killed client is seen after its death",
      [wrote(1, 1, 2, .init("a", "1")), died(1, 3, 4, .init("a", nil)), read(2, 5, 6, ["a": nil])]),
    History(
      "the lost answer of a save is one of success or failure",
      [
        operation(1, 1, 2, .write(zone: zone, [.init("a", "1")]), .lost),
        operation(1, 3, 4, .write(zone: zone, [.init("a", "2")]), .lost), read(2, 5, 6, ["a": "1"]),
      ]),
    History(
      "reads beside a save see either value, one after the other",
      [wrote(1, 1, 10, .init("a", "1")), read(2, 2, 6, ["a": "1"]), read(3, 2, 6, ["a": nil])]),
    History(
      "a save is refused with the server's record of a save beside it",
      [
        wrote(1, 1, 2, .init("a", "1")), wrote(2, 3, 8, .init("a", "2")),
        refused(4, 5, "serverRecordChanged", [.init("a", "2")], .init("a", "3", .unchanged("1"))),
      ]),
    History(
      "a page with others to come is older than changes beside it",
      [
        wrote(1, 1, 2, .init("a", "1"), .init("b", "1")),
        page(2, 3, 4, isFromStart: true, [("a", "1")], moreComing: true), wrote(1, 5, 6, .init("a", "2")),
        page(2, 7, 8, [("b", "1"), ("a", "2")]),
      ]),
    History(
      "a feed from the start has a deletion of a record that it does not have",
      [
        wrote(1, 1, 2, .init("a", "1")), wrote(1, 3, 4, .init("a", nil)),
        page(2, 5, 6, isFromStart: true, deleted: ["a"]),
      ]),
    History(
      "a database's feed has a change beside the page before, or not again",
      [
        databasePage(1, 2, isFromStart: true, [zone]), wrote(1, 3, 7, .init("a", "1")), databasePage(4, 5, [zone]),
        databasePage(8, 9, []),
      ]),
    History(
      "requests beside a zone's deletion find it or not",
      [
        wrote(1, 1, 2, .init("a", "1")), operation(2, 3, 10, .deleteZone(zone), .done([])), read(3, 4, 5, ["a": "1"]),
        refused(6, 7, "zoneNotFound", [], .init("a", "2")), operation(1, 11, 12, .createZone(zone), .done([])),
        read(3, 13, 14, ["a": nil]),
      ]),
  ]

  @Test("a history with a violation has its problem", arguments: violations)
  private func violation(_ history: History) {
    let problems = HistoryChecker.problems(in: history.operations)
    #expect(problems.contains { $0.contains(history.problem ?? "-") }, "\(problems)")
  }

  @Test("a correct history has no problems", arguments: correct)
  private func correctHistory(_ history: History) {
    #expect(HistoryChecker.problems(in: history.operations) == [])
  }

  @Test("an order that needs saves of other records is found, and a long history takes one pass")
  func longHistoryTakesOnePass() {
    var operations: [HistoryOperation] = []
    for round in 0..<2000 as Range<UInt64> {
      let time = round * 10
      // The snapshot needs the batch of a and b before the save of c, though that began and ended first.
      operations.append(wrote(1, time + 1, time + 6, .init("a", "a\(round)"), .init("b", "a\(round)")))
      operations.append(wrote(2, time + 2, time + 4, .init("c", "c\(round)")))
      operations.append(wrote(3, time + 2, time + 7, .init("d", "d\(round)")))
      let before = round == 0 ? nil : "c\(round - 1)"
      operations.append(read(4, time + 3, time + 5, ["a": "a\(round)", "c": before]))
    }
    #expect(HistoryChecker.problems(in: operations) == [])
    operations.append(read(4, 30_000, 30_001, ["d": "d0"]))
    #expect(HistoryChecker.problems(in: operations).count == 1)
  }
}
