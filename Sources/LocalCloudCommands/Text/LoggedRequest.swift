import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// A line of the log of requests, for people.
struct LoggedRequest {
  let line: JSONObject

  init(_ line: JSONObject) { self.line = line }

  subscript(_ key: String) -> String? { line[key]?.string }

  /// Whether the request has all values that are not nil.
  func has(_ wanted: [(key: String, value: String?)]) -> Bool {
    wanted.allSatisfy { key, value in value == nil || value == (self[key] ?? "") }
  }

  static let columns: [Table.Column] = [
    "time", "account", "device", "by", "request", "database", "items", Table.Column("ms", .right), "outcome",
  ]

  private var items: [JSONValue] { line["items"]?.array ?? [] }

  /// Whether the request was refused, or one of its items.
  var isFailed: Bool { line["error"] != nil || items.contains { $0["error"] != nil } }

  var cells: [String] {
    [
      self["time"] ?? "", self["account"] ?? "", self["device"] ?? "", self["command"] ?? "", self["request"] ?? "",
      self["database"] ?? "", items.map(name).joined(separator: ", "), line["milliseconds"]?.description ?? "", outcome,
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

  private var outcome: String {
    if let error = line["error"] { return text(of: error) }
    let refused = items.compactMap { item in item["error"].map { "\(name(item)): \(text(of: $0))" } }
    return refused.isEmpty ? "ok" : refused.joined(separator: "; ")
  }

  /// `permissionFailure: WRITE operation not permitted`
  private func text(of error: JSONValue) -> String {
    let code = error["ckErrorCode"]?.integer.flatMap { ServiceError.Code(rawValue: Int($0)) }
    return [code?.name, error["message"]?.string].compactMap(\.self).joined(separator: ": ")
  }
}
