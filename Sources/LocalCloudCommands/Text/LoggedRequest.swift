import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// A line of the log of requests, for people.
struct LoggedRequest {
  let line: JSONObject

  init(_ line: JSONObject) { self.line = line }

  subscript(_ key: String) -> String? { line[key]?.string }

  /// Whether the member has the value. The empty text stands for a missing member; nil accepts every request.
  func has(_ key: String, _ value: String?) -> Bool { value == nil || value == (self[key] ?? "") }

  static let columns: [Table.Column] = [
    "time", "account", "device", "by", "request", "database", "items", Table.Column("ms", .right), "outcome",
  ]

  private var items: [JSONValue] { line["items"]?.array ?? [] }

  /// The end of the request; nil if the line has none.
  var time: Moment? { self["time"].flatMap { try? Timestamp.moment($0) } }

  /// Whether the line has a record of this name.
  func names(record: String) -> Bool { items.contains { $0["recordName"]?.string == record } }

  /// Whether the request names the zone, or a record in it. Lines of earlier versions have no list of zones.
  func names(zone: String) -> Bool {
    line["zones"]?.array?.contains { $0.string == zone } == true
      || items.contains { $0["zoneID"]?["zoneName"]?.string == zone }
  }

  /// Whether the request failed with the error, or one of its items.
  func has(_ error: ServiceError.Code) -> Bool {
    ([line["error"]] + items.map { $0["error"] }).contains { $0?["ckErrorCode"]?.integer == Int64(error.rawValue) }
  }

  /// Whether the rule fired on the request.
  func has(fault: String) -> Bool { self["fault"]?.split(separator: ",").contains { $0 == fault } == true }

  /// Whether the request was refused, or one of its items.
  var isFailed: Bool {
    line["error"] != nil || ["failed", "partial"].contains(self["outcome"]) || items.contains { $0["error"] != nil }
  }

  var cells: [String] {
    [
      self["time"] ?? "", self["account"] ?? "", self["device"] ?? "", self["command"] ?? "", self["request"] ?? "",
      self["database"] ?? "", itemsText, line["milliseconds"]?.description ?? "", outcome,
    ]
  }

  /// One line: `2026-01-31T12:00:00.000Z  alice on alice-device  localcloud record save  modifyRecords private Z/a  ok`
  var text: StyledText {
    let cells = cells
    let who = cells[1].isEmpty ? "nobody" : "\(cells[1]) on \(cells[2])"
    let what = cells[4...6].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(cells[0], .dim)  \(who, .bold)  \(cells[3])  \(what)  \(cells[8], isFailed ? .red : .plain)"
  }

  /// `Z/a` of a record, `Z` of a zone, or a subscription's ID.
  private func name(_ item: JSONValue) -> String {
    if let subscription = item["subscriptionID"]?.string { return subscription }
    return [item["zoneID"]?["zoneName"]?.string, item["recordName"]?.string].compactMap(\.self).joined(separator: "/")
  }

  /// `Z/a, Z/b, and 380 more`
  private var itemsText: String {
    let omitted = line["itemsOmitted"]?.integer.map { "and \($0) more" }
    return (items.map(name) + [omitted].compactMap(\.self)).joined(separator: ", ")
  }

  /// `ok`, or the errors, and the fault rules that fired.
  private var outcome: String {
    let refused = items.compactMap { item in item["error"].map { "\(name(item)): \(text(of: $0))" } }
    let outcome =
      line["error"].map(text) ?? (refused.isEmpty ? self["outcome"] ?? "ok" : refused.joined(separator: "; "))
    return self["fault"].map { "\(outcome) (fault \($0))" } ?? outcome
  }

  /// `permissionFailure: WRITE operation not permitted`
  private func text(of error: JSONValue) -> String {
    let code = error["ckErrorCode"]?.integer.flatMap { ServiceError.Code(rawValue: Int($0)) }
    return [code?.name, error["message"]?.string].compactMap(\.self).joined(separator: ": ")
  }
}
