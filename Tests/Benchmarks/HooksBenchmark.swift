import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStore
import TestSupport

/// Measures how much longer a save takes with the request log, with fault rules that do not apply, and with a clock
/// that is set, each in pairs with a save without.
enum HooksBenchmark: Benchmark {
  static let name = "hooks"
  static let summary = "a save with the request log, a fault rule or a set clock, against one without"

  static func run(_ options: Options) throws -> Findings {
    let rounds = options.size(2000, quick: 20)
    // Two clouds of a pair are equally full.
    let (plain, ruled, unruled, clocked, unclocked) = (
      try Stage(), try Stage(), try Stage(), try Stage(), try Stage()
    )
    var conditions = FaultRule.Conditions()
    conditions.account = "nobody"
    _ = try ruled.cloud.service.faults.add([FaultRule(.error(.zoneBusy, retryAfter: nil), where: conditions)])
    try clocked.cloud.service.clock.set(.offset(3_600_000))
    let off = try plain.session()
    let pairs = [
      Pair(
        "with the log on", plain.client(try plain.session(log: true)), "off", plain.client(off),
        mark: .ratioAtMost(1.1)),
      Pair(
        "with the log off", plain.client(off), "without hooks", plain.client(off.uncounted()),
        mark: .ratioAtMost(1.02)),
      Pair(
        "with a fault rule that does not apply", ruled.client(try ruled.session()), "without rules",
        unruled.client(try unruled.session()), mark: .ratioAtMost(1.02)),
      Pair(
        "with the clock set", clocked.client(try clocked.session()), "not set",
        unclocked.client(try unclocked.session()), mark: .ratioAtMost(1.02)),
    ]
    return Findings(figures: try pairs.map { try $0.figure(rounds) })
  }
}

/// A cloud of its own with one zone. Its sessions are those of programs.
private struct Stage {
  let cloud: TemporaryCloud
  private let zone: ZoneIdentifier

  init() throws {
    cloud = try TemporaryCloud.forMeasuring()
    zone = try ZoneClient.making("Notes", in: cloud).zone
  }

  func session(log: Bool = false) throws -> Session {
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.container) = (cloud.path, .account("alice"), TemporaryCloud.container)
    let settings = try Settings(acting, variable: { $0 == "LOCALCLOUD_LOG" && log ? "on" : nil })
    return try Session(acting, settings: settings)
  }

  func client(_ session: Session) -> ZoneClient {
    ZoneClient(session.service, account: "alice", zone: zone.name)
  }
}

/// Saves of two clients, that differ in one thing.
private struct Pair {
  private let name: String
  private let client: ZoneClient
  private let otherName: String
  private let other: ZoneClient
  private let mark: Mark

  init(_ name: String, _ client: ZoneClient, _ otherName: String, _ other: ZoneClient, mark: Mark) {
    (self.name, self.client, self.otherName, self.other, self.mark) = (name, client, otherName, other, mark)
  }

  func figure(_ rounds: Int) throws -> Figure {
    var number = 0
    let times = try inRounds(
      rounds,
      [client, other].map { client in
        {
          number += 1
          return try milliseconds { try client.save([client.note("\(name) \(number)", number)]) }
        }
      })
    return Figure(name, .milliseconds, times[0], against: (otherName, times[1]), mark: mark)
  }
}
