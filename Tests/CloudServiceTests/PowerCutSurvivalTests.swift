import CloudService
import CloudStore
import Platform
import TestSupport
import Testing

/// A power cut at any moment leaves the cloud as it was before or as it is after, once the machine is on again.
@Suite("Power cuts: the cloud survives")
struct PowerCutSurvivalTests {
  private static let feeds = [("alice", DatabaseScope.private), ("bob", .shared), ("carol", .shared)]

  /// What people's databases report since `tokens`, or from the beginning; and the tokens for the next time.
  private static func news(_ service: CloudService, since tokens: [String?]) throws -> ([Set<String>], [String?]) {
    let answers = try zip(feeds, tokens).map { feed, token in
      try service.databaseChanges(
        DatabaseChangesRequest(scope: feed.1, since: token), by: CrashTests.caller(feed.0))
    }
    let names = answers.map { answer in
      Set(answer.changed.map { "\($0.name)" } + answer.deleted.map { "\($0.zone.name) deleted" })
    }
    return (names, answers.map(\.token))
  }

  @Test("before or after, never between; nobody misses a change; the next commit works", arguments: CrashTests.works)
  func everyMoment(_ work: CrashTests.Work) throws {
    let cloud = try CrashTests.stage()
    let before = try CrashTests.story(cloud.service)
    let tokens = try Self.news(cloud.service, since: [nil, nil, nil]).1
    let cut = try PowerCut.recording(cloud.path) { fileSystem in
      try work.run(try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
    }
    let after = try CrashTests.story(cloud.service)
    let news = try Self.news(cloud.service, since: tokens).0
    let path = MemoryFolder.newPath("cut")
    for count in 0...cut.calls.count {
      for keep in [Keep.nothing, .seeded(UInt64(count))] {
        try cut.write(to: path, at: count, keeping: keep)
        defer { try? TemporaryCloud.remove(path) }
        let comment: Comment = "after \(count) calls, \(keep); lost: \(cut.losses(at: count, keeping: keep))"
        do {
          let service = try CloudService.open(
            root: path, settings: cloud.service.settings, fileSystem: FileSystem(bootIdentifier: "another boot"))
          let story = try CrashTests.story(service)
          #expect(story == before || story == after, comment)
          if count == cut.calls.count { #expect(story == after, comment) }
          let found = try Self.news(service, since: tokens).0
          if story == after {
            for (place, feed) in Self.feeds.enumerated() {
              #expect(news[place].isSubset(of: found[place]), "\(feed.0) is told \(found[place]); \(comment)")
            }
          }
          #expect(try service.check() == [], comment)
          if work.name != "delete zone" || story == before {
            try CrashTests.modify(service, [CrashTests.note("afterwards", "1")])
          }
        } catch {
          Issue.record(error, comment)
        }
      }
    }
  }
}
