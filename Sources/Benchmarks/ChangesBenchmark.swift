import CloudService
import CloudStore
import Platform
import TestSupport

/// Fetching the last 100 changes must cost the same whatever the zone's size.
enum ChangesBenchmark {
  static func run() throws {
    let cloud = try TemporaryCloud()
    let caller = cloud.caller("alice")
    let sizes = [1_000, 100_000]
    var zones: [(zone: ZoneIdentifier, token: String)] = []
    for size in sizes {
      let zone = ZoneIdentifier(name: ExactName("Zone-\(size)"))
      _ = try cloud.service.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: caller)
      let seconds = try Benchmarks.time { try fill(cloud, zone, 0..<(size - 100)) } / 1000
      Benchmarks.say("changes: made \(size) records in \(Int(seconds.rounded())) s")
      let token = try lastToken(cloud, zone)
      try fill(cloud, zone, (size - 100)..<size)
      zones.append((zone, token))
    }
    // In turn, so that both meet the same weather.
    var times: [[Double]] = [[], []]
    for _ in 0..<60 {
      for (place, entry) in zones.enumerated() {
        times[place].append(
          try Benchmarks.time {
            let changes = try cloud.service.zoneChanges(
              ZoneChangesRequest(scope: .private, zone: entry.zone, since: entry.token), by: caller)
            precondition(changes.changed.count == 100 && !changes.moreComing)
          })
      }
    }
    let medians = times.map(Benchmarks.median)
    Benchmarks.say(
      "changes: 100 changes of \(sizes[0]) records: \(Benchmarks.text(medians[0])); of \(sizes[1]): "
        + "\(Benchmarks.text(medians[1])); ratio \(Benchmarks.ratio(medians[1] / medians[0])) (at most 1.5)")
  }

  private static func fill(_ cloud: TemporaryCloud, _ zone: ZoneIdentifier, _ range: Range<Int>) throws {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 400) {
      let saves = (start..<min(start + 400, range.upperBound)).map { item in
        RecordSave(
          id: RecordIdentifier(name: ExactName("record-\(item)"), zone: zone), type: "Note",
          fields: ["text": .string("Note number \(item)"), "count": .int64(Int64(item))])
      }
      let response = try cloud.service.modifyRecords(
        ModifyRecordsRequest(scope: .private, saves: saves), by: cloud.caller("alice"))
      for save in response.saves { _ = try save.get() }
    }
  }

  private static func lastToken(_ cloud: TemporaryCloud, _ zone: ZoneIdentifier) throws -> String {
    var token: String?
    while true {
      let page = try cloud.service.zoneChanges(
        ZoneChangesRequest(scope: .private, zone: zone, since: token, limit: 400), by: cloud.caller("alice"))
      token = page.token
      if !page.moreComing { return page.token }
    }
  }
}
