#if os(Linux)
  import CloudKit
  import Foundation
  import LocalCloud
  import Testing

  /// File descriptors in apps with many zones and tests with many clouds. Each test runs in its own process, because
  /// other tests open files too.
  @Suite struct AppLeakTests {
    @Test func cloudsThatAreGone() async throws {
      await #expect(processExitsWith: .success) {
        let before = try descriptors()
        for _ in 0..<100 {
          let cloud = try TestCloud()
          let database = try cloud.container(of: "alice").privateCloudDatabase
          try await database.save(CKRecordZone(zoneID: testZoneID))
          try await database.save(note("a"))
        }
        let opened = try descriptors() - before
        precondition(opened < 100)
      }
    }

    @Test func manyZones() async throws {
      await #expect(processExitsWith: .success) {
        let cloud = try TestCloud()
        let database = try cloud.container(of: "alice").privateCloudDatabase
        let before = try descriptors()
        for number in 0..<150 {
          let zoneID = CKRecordZone.ID(zoneName: "Z\(number)")
          try await database.save(CKRecordZone(zoneID: zoneID))
          try await database.save(note("a", in: zoneID))
        }
        let opened = try descriptors() - before
        precondition(opened < 400)
      }
    }
  }

  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
#endif
