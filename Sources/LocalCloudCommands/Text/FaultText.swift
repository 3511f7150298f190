import LocalCloudService
import LocalCloudStorage

/// Formats fault rules for people.
enum FaultText {
  static func table(_ faults: [StoredFault]) -> Table {
    Table(
      [
        "rule", "effect", "request", "account", "device", "zone", "record", "type", "further", "when",
        Table.Column("fired", .right), Table.Column("matched", .right),
      ],
      rows: faults.map { fault in
        let conditions = fault.rule.conditions
        let further = [conditions.container, conditions.environment?.rawValue, conditions.database?.name]
        return [
          fault.id, effect(fault.rule), conditions.operation?.rawValue ?? "", conditions.account ?? "",
          conditions.device ?? "", conditions.zone?.string ?? "", conditions.recordName?.string ?? "",
          conditions.recordType ?? "", further.compactMap(\.self).joined(separator: ", "),
          schedule(fault.rule.schedule), "\(fault.fired)", "\(fault.matched)",
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

  /// `after 2, 1 time`
  private static func schedule(_ schedule: FaultRule.Schedule) -> String {
    let words = [
      schedule.after == 0 ? nil : "after \(schedule.after)", schedule.times.map { $0.counted("time") },
      schedule.probability.map { "probability \($0)" },
    ]
    return words.compactMap(\.self).joined(separator: ", ")
  }
}
