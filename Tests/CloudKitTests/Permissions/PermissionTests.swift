import CloudKit
import FaultInjection
import LocalCloud
import TestSupport
import Testing

@Suite("Permissions: each cell of the table, through Apple's API")
struct PermissionTests {
  @Test(
    "each request by functions and operations is allowed or refused as the table states; a refused one changes no file",
    arguments: PermissionTable.Kind.allCases, PermissionTable.Who.allCases)
  func eachRequestByFunctionsAndOperations(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) async throws {
    let stage = try PermissionStage(kind, who)
    let memory = try await PermissionMemory.of(kind)
    let cells = stage.cells.filter(PermissionApp<FunctionRequests>.canTry)
    #expect(cells.count == (who == .owner || who.comesByLink ? 29 : 30))
    let functions = PermissionTrial(stage) {
      AppPermissionRunner<FunctionRequests>(path: $0, stage: stage, memory: memory)
    }
    for problem in try await functions.problems(cells) { Issue.record("functions, \(problem)") }
    let operations = PermissionTrial(stage) {
      AppPermissionRunner<OperationRequests>(path: $0, stage: stage, memory: memory)
    }
    for problem in try await operations.problems(cells) { Issue.record("operations, \(problem)") }
  }

  @available(*, deprecated)
  @Test(
    "refused requests with deprecated blocks give partial failures",
    arguments: PermissionTable.Kind.allCases, PermissionTable.Who.allCases)
  func oldStyle(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) async throws {
    let stage = try PermissionStage(kind, who)
    let memory = try await PermissionMemory.of(kind)
    let cells = stage.cells.filter { $0.changesNothing && PermissionApp<CompletionBlockRequests>.canTry($0) }
    let trial = PermissionTrial(stage) {
      AppPermissionRunner<CompletionBlockRequests>(path: $0, stage: stage, memory: memory)
    }
    for problem in try await trial.problems(cells) { Issue.record("\(problem)") }
  }

  /// The cells that ``PermissionApp`` omits. A user of a link leaves by deleting the share: that is another cell.
  @Test(
    "removing the owner, or a user of a public link, from the list raises an exception",
    arguments: PermissionTable.Kind.allCases, [PermissionTable.Who.owner, .linkReader, .linkWriter])
  func removingTheOwnerOrAUser(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) async throws {
    let stage = try PermissionStage(kind, who)
    let path = ScratchFolder.newPath("permission")
    try stage.image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    await expectException(
      who == .owner
        ? "The owner cannot be removed from a share"
        : "Participants cannot be removed from a share whose publicPermission is not CKShareParticipantPermissionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        [
          path = path as String, isOwner = (who == .owner) as Bool, share = kind.shareName as String,
          owner = stage.ownerName as String
        ] in
        await PermissionTests.removeOneself(isOwner, share, owner, path)
      })
    #expect(try FolderImage(of: path).differences(from: stage.image) == [])
  }

  /// Any other failure returns without an exception, so that the test fails.
  private static func removeOneself(_ isOwner: Bool, _ share: String, _ owner: String, _ path: String) async {
    let share = try? await LocalCloud.acting(as: isOwner ? "alice" : "bob", root: path) {
      let container = CKContainer(identifier: TemporaryCloud.container)
      let database = isOwner ? container.privateCloudDatabase : container.sharedCloudDatabase
      let zoneID = CKRecordZone.ID(
        zoneName: PermissionStage.zoneName, ownerName: isOwner ? CKCurrentUserDefaultName : owner)
      return try await database.record(for: CKRecord.ID(recordName: share, zoneID: zoneID)) as? CKShare
    }
    guard let share, let person = share.currentUserParticipant else { return }
    share.removeParticipant(person)
  }
}
