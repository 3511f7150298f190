import LocalCloudPlatform
import TestSupport

/// Compares saves with Radicale, another server that stores its users' data as files in folders.
enum RadicaleBenchmark: Benchmark {
  static let name = "radicale"
  static let summary = "single saves against single cards put to Radicale over one connection"

  static func run(_ options: Options) throws -> Findings {
    let places = (HostProcess.environment("PATH") ?? "/usr/bin").split(separator: ":").map { "\($0)/python3" }
    guard let python = options.python ?? places.first(where: HostProcess.isExecutable) else {
      return .skipped("there is no python3")
    }
    guard HostProcess.isExecutable(python), let server = try RadicaleServer(python: python) else {
      return .skipped("\(python) has no Radicale 3; name one that has with --python")
    }
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Notes", in: cloud)
    let count = options.size(100, quick: 20)
    var (number, connections) = (0, 0)
    let rates = try inTurns(
      options.size(10, quick: 2),
      [
        {
          try rate(of: count) {
            for _ in 0..<count {
              number += 1
              try client.save([client.note("note-\(number)", number)])
            }
          }
        },
        {
          let turn = try server.put(count)
          connections += turn.connections
          return Double(count) / turn.seconds
        },
      ])
    return Findings(
      figures: [
        Figure("saves", .perSecond, rates[0], against: ("Radicale", rates[1]), mark: .ratioAtLeast(20))
      ],
      notes: [
        "Radicale \(server.version), its syncs \(server.isSyncing ? "on" : "off"); it took \(connections) connections for "
          + "\(number) cards"
      ])
  }
}
