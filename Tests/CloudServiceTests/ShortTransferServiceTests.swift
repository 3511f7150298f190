import CloudService
import Platform
import TestSupport
import Testing

@Suite("Interrupted and short transfers under a whole service")
struct ShortTransferServiceTests {
  @Test("people see the same as with whole transfers", arguments: CrashTests.works)
  func sameCloud(_ work: CrashTests.Work) throws {
    let plain = try CrashTests.stage()
    try work.run(plain.service)
    let cloud = try CrashTests.stage()
    let transfers = ShortTransfers(seed: 7, longest: 40)
    try work.run(
      try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: transfers.fileSystem()))
    #expect(transfers.counts.interruptions > 3)
    #expect(transfers.counts.shortened > 0)
    #expect(try CrashTests.story(cloud.service) == CrashTests.story(plain.service))
    #expect(try cloud.service.check() == [])
  }
}
