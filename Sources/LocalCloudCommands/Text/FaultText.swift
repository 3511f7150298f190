import LocalCloudService
import LocalCloudStorage

/// Formats fault rules for people.
enum FaultText {
  static func table(_ faults: [StoredFault]) -> Table {
    Table(
      ["rule", "effect", "on", Table.Column("fired", .right), Table.Column("matched", .right), "left"],
      rows: faults.map { fault in
        [
          fault.id, effect(fault.rule), conditions(fault.rule), "\(fault.fired)", "\(fault.matched)",
          fault.rule.schedule.times.map { "\($0 - fault.fired)" } ?? "",
        ]
      })
  }

  private static func effect(_ rule: FaultRule) -> String {
    func code(_ words: String, _ retryAfter: Double?) -> String {
      words + (retryAfter.map { ", try again after \($0.secondsText) s" } ?? "")
    }
    switch rule.effect {
    case .error(let error, let retryAfter): return code(error.name, retryAfter)
    case .itemError(let error, let retryAfter): return code("items: \(error.name)", retryAfter)
    case .lostReply(.before): return "request lost"
    case .lostReply(.after): return "answer lost"
    case .latency(let seconds): return "answer \(seconds.secondsText) s later"
    case .latePushes(let seconds): return "push \(seconds.secondsText) s later"
    case .pushes(let change): return "push \(change.rawValue)"
    case .indexLag(let seconds): return "found \(seconds.secondsText) s later"
    }
  }

  /// `modifyRecords, zone Notes, after 2, 1 time`
  private static func conditions(_ rule: FaultRule) -> String {
    let conditions = rule.conditions
    let named: [(String, String?)] = [
      ("", conditions.operation?.rawValue), ("account ", conditions.account), ("device ", conditions.device),
      ("", conditions.container), ("", conditions.environment?.rawValue), ("database ", conditions.database?.name),
      ("zone ", conditions.zone?.string), ("record ", conditions.recordName?.string), ("type ", conditions.recordType),
      ("after ", rule.schedule.after == 0 ? nil : "\(rule.schedule.after)"),
      ("", rule.schedule.times.map { $0.counted("time") }),
      ("probability ", rule.schedule.probability.map { "\($0)" }),
    ]
    let words = named.compactMap { prefix, value in value.map { prefix + $0 } }
    return words.isEmpty ? "everything" : words.joined(separator: ", ")
  }
}
