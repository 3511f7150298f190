import CloudService
import Platform
import TestSupport
import Testing

/// Opening, reading, listing, asking and locking can fail as well as writing.
@Suite("A call that changes nothing fails")
struct LookFailureTests {
  @Test(
    "an error and nothing done, or success and all of it", arguments: CrashTests.works,
    [SystemError.tooManyFiles, SystemError.inputOutput])
  func everyLook(_ work: CrashTests.Work, code: Int32) throws {
    let harness = CrashHarness()
    let plain = try CrashTests.stage()
    let before = try CrashTests.story(plain.service)
    let image = try FolderImage(of: plain.path)
    let calls = try harness.trace(allCalls: true) { fileSystem in
      try work.run(try CloudService.open(root: plain.path, settings: plain.service.settings, fileSystem: fileSystem))
    }
    let after = try CrashTests.story(plain.service)
    let points = harness.faults(calls, .fail(code), allCalls: true) { !$0.changesTree }
    #expect(points.count > 10)
    var failures = 0
    for point in points {
      let path = MemoryFolder.newPath("look")
      try image.write(to: path)
      defer { try? TemporaryCloud.remove(path) }
      var failure: ServiceError?
      do {
        try work.run(
          try CloudService.open(
            root: path, settings: plain.service.settings, fileSystem: harness.fileSystem(stoppingAt: point)))
      } catch { failure = ServiceError(describing: error) }
      let next = try CloudService.open(root: path, settings: plain.service.settings)
      let story = try CrashTests.story(next)
      if let failure {
        failures += 1
        #expect(story == before, "\(failure) but done: \(point)")
      } else {
        #expect(story == after, "success but not done: \(point)")
      }
      let problems = try next.check()
      #expect(problems == [], "\(point)")
    }
    #expect(failures > 0)
  }
}
