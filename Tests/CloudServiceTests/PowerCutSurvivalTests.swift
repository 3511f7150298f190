import CloudService
import CloudStore
import Platform
import TestSupport
import Testing

/// A power cut at any moment leaves the cloud as it was before or as it is after, once the machine is on again.
@Suite("Power cuts: the cloud survives")
struct PowerCutSurvivalTests {
  @Test("before or after, never between; check is clean; the next commit works", arguments: CrashTests.works)
  func everyMoment(_ work: CrashTests.Work) throws {
    let cloud = try CrashTests.stage()
    let before = try CrashTests.story(cloud.service)
    let cut = try PowerCut.recording(cloud.path) { fileSystem in
      try work.run(try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem))
    }
    let after = try CrashTests.story(cloud.service)
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
          // The mention of a zone in its database's log is not synced, and recovery does not write it again; a page of the
          // index that is lost is found only when it is read.
          let problems = try service.check()
          withKnownIssue(isIntermittent: true) { #expect(problems == [], comment) }
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
