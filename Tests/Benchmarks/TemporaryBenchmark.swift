import CloudKit
import LocalCloud

/// Measures the creation and the removal of a temporary cloud, as each test with the trait `.cloud` has one.
enum TemporaryBenchmark: Benchmark {
  static let name = "temporary"
  static let summary = "a cloud for one test, with and without a saved record"

  static func run(_ options: Options) throws -> Findings {
    let rounds = options.size(200, quick: 20)
    let times = try inRounds(
      rounds,
      [
        { try milliseconds { try LocalCloud.temporary(people: "ada", "ben") { _ in } } },
        {
          try milliseconds {
            try LocalCloud.temporary(people: "ada", "ben") { cloud in
              try waiting {
                try await cloud.acting(as: "ada") {
                  let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
                  _ = try await database.save(CKRecord(recordType: "Note"))
                }
              }
            }
          }
        },
      ])
    return Findings(figures: [
      Figure("an empty cloud of two people", .milliseconds, times[0], mark: .valueBelow(10)),
      Figure("a cloud with a saved record", .milliseconds, times[1], against: ("an empty one", times[0])),
    ])
  }
}
