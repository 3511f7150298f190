import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The cloud and the member processes of a run. The processes end on deinit.
final class ModelStage {
  typealias Member = WorkerProcess<ModelRequest, ModelAnswer>

  private let cloud: TemporaryCloud
  let members: [Member]

  var service: CloudService { cloud.service }

  init(_ executable: String, _ people: [String], _ fault: ModelFault?) throws {
    cloud = try TemporaryCloud(accounts: [ReferenceModel.owner] + people) { settings in
      settings.clock = systemTimeMilliseconds
      settings.identifiers = HostProcess.randomBytes
    }
    let alice = cloud.caller(ReferenceModel.owner)
    let zones = ModelAuthor.zones.map { ZoneIdentifier(name: ExactName($0)) }
    for zone in try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: zones), by: alice).saves
    {
      _ = try zone.get()
    }
    let owner = try cloud.service.accounts.userRecordName(by: alice)
    let path = cloud.path
    members = try ([ReferenceModel.owner] + people).map { person in
      try Member(person, executable, ["model-worker", path, person, owner, fault?.rawValue ?? "-"])
    }
  }

  deinit { for member in members { member.kill() } }
}
