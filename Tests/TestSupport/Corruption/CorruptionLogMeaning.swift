import LocalCloudStorage
import LocalCloudStore

/// The meaning of a log, as far as `check` verifies it.
struct CorruptionLogMeaning {
  /// The horizon of the zone's log. A share's log may contain older changes.
  let zoneHorizon: Int64

  func mustShow(_ file: CorruptionFile, _ new: [UInt8], insteadOf old: [UInt8]) -> Bool {
    // In logs that no commit writes, half a line may be left at the end.
    let mayBeTorn = file.kind != .zoneLog && file.kind != .shareLog
    guard let log = CorruptionLog(new, mayBeTorn: mayBeTorn), let was = CorruptionLog(old, mayBeTorn: mayBeTorn) else {
      return true
    }
    if !log.isCounted { return true }
    switch file.kind {
    case .zoneLog: return mustShow(zoneLog: log, insteadOf: was)
    case .shareLog: return mustShow(shareLog: log, insteadOf: was)
    case .databaseLog: return mustShow(databaseLog: log, insteadOf: was, isOwn: file.path.contains("private"))
    default: return file.path.contains("sharing") ? mustShow(sharingLog: log) : mustShow(pushLog: log)
    }
  }

  /// [check-11] to [check-14]: no line is added, removed or given another tag, and the last line of each record agrees
  /// with its file. Shares' logs also record the participants that see a record; [check-30] checks those.
  private func mustShow(zoneLog log: CorruptionLog, insteadOf was: CorruptionLog) -> Bool {
    // Up to the horizon a superseded line may be left.
    func told(_ log: CorruptionLog) -> [[JSONValue?]] {
      let last = Set(log.newest.values.map(\.sequence) + log.newestSaves.values.map(\.sequence))
      return log.lines.filter { $0.sequence > log.horizon || last.contains($0.sequence) }.map { line in
        [.integer(line.sequence)] + ["kind", "recordName", "recordChangeTag"].map { line.value[$0] }
      }
    }
    func last(_ log: CorruptionLog) -> [String: [String?]] {
      log.newest.filter { $1.value["kind"]?.string != "delete" }.mapValues { line in
        ["digest", "parent", "recordType", "device"].map { line.value[$0]?.string }
      }
    }
    return !log.texts("recordType", "device") || !log.isGapless(base: (was.lines.first?.sequence ?? 1) - 1)
      || told(log) != told(was) || last(log) != last(was)
  }

  /// [check-16], [check-18], [check-30] and [check-33]: the last line of each record, as far as the zone's log contains
  /// it.
  private func mustShow(shareLog log: CorruptionLog, insteadOf was: CorruptionLog) -> Bool {
    let kinds: [JSONValue] = ["in", "out"]
    guard log.texts("recordName", "recordType"),
      log.lines.allSatisfy({ $0.value["kind"].map(kinds.contains) ?? false })
    else { return true }
    let (ours, theirs) = (log.newest, was.newest)
    return Set(ours.keys).union(theirs.keys).contains { name in
      let (new, old) = (ours[name], theirs[name])
      let isInside = new?.value["kind"] == "in"
      if isInside != (old?.value["kind"] == "in") { return true }
      guard let new else { return (old?.sequence ?? 0) > max(log.horizon, zoneHorizon) }
      if new.sequence == old?.sequence, new.sequence > zoneHorizon, new.value["recordType"] != old?.value["recordType"]
      {
        return true
      }
      return new.sequence != old?.sequence && max(new.sequence, old?.sequence ?? 0) > zoneHorizon
    }
  }

  /// [check-5] and [check-7]: the log of a database.
  private func mustShow(databaseLog log: CorruptionLog, insteadOf was: CorruptionLog, isOwn: Bool) -> Bool {
    let eras = log.lines.map { $0.value["era"]?.integer }
    guard log.isGapless(), log.texts("zone", "boot"), !eras.contains(nil),
      zip(eras, eras.dropFirst()).allSatisfy({ $0 ?? 0 <= $1 ?? 0 })
    else { return true }
    func mentioned(_ log: CorruptionLog) -> [String: Int64] {
      Dictionary(
        log.lines.map { ($0.value["zone"]?.string ?? "", $0.value["zoneSequence"]?.integer ?? .max) },
        uniquingKeysWith: { $1 })
    }
    let (before, now) = (mentioned(was), mentioned(log))
    return now.values.contains { $0 < 0 }
      || isOwn && now.contains { zone, sequence in zone != CorruptionStage.deletedZone && sequence < before[zone] ?? 0 }
  }

  /// [check-23]: the log of pushes.
  private func mustShow(pushLog log: CorruptionLog) -> Bool {
    log.lines.contains { line in
      guard line.value.object?["userInfo"] != nil else { return false }
      let keys = [
        "containerIdentifier", "databaseScope", "environment", "sent", "subscriptionID", "subscriptionType",
        "userRecordName",
      ]
      return !keys.allSatisfy { line.value[$0]?.string != nil } || line.value["priority"]?.integer == nil
        || line.value["zoneID"]?["zoneName"]?.string == nil
    }
  }

  /// [check-29]: the log of sharing events.
  private func mustShow(sharingLog log: CorruptionLog) -> Bool {
    !log.isGapless() || !log.texts("containerIdentifier", "environment", "kind", "recordName", "sent", "userRecordName")
      || !log.lines.allSatisfy { $0.value["zoneID"]?["zoneName"]?.string != nil }
  }
}
