import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// A cloud with one zone that three people share, for the processes of a stress run.
package struct StressStage {
  package let cloud: TemporaryCloud
  package let owner: String

  package init() throws {
    cloud = try .forProcesses()
    let alice = cloud.caller("alice")
    let zone = ZoneIdentifier(name: ExactName(StressNames.zone))
    owner = try cloud.service.accounts.userRecordName(by: alice)
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: alice).saves[0]
      .get()
    let root = RecordSave(id: RecordIdentifier(name: ExactName(StressNames.root), zone: zone), type: "Root")
    try cloud.share("share", of: root, in: zone)
  }

  package var service: CloudService { cloud.service }

  package var zoneFolder: String { cloud.zonePath(StressNames.zone) }

  package var recordsFolder: String { zoneFolder + "/records" }

  /// A locked file that workers wait for.
  func barrier() throws -> File {
    let file = try Directory.open(path: cloud.path, in: FileSystem()).createFile(".barrier")
    guard try file.tryLock(.exclusive) else { throw ServiceError(.internalError, "the barrier is taken") }
    return file
  }

  package func worker(
    _ executable: String, account: String, _ mode: StressNames.Mode, _ number: Int, _ count: Int
  ) throws -> ChildProcess {
    try ChildProcess(
      executable,
      ["worker", account == "alice" ? "-" : owner, mode.rawValue, "\(number)", "\(count)", cloud.path + "/.barrier"],
      environment: [
        "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": account, "LOCALCLOUD_LOCK_TIMEOUT": "120",
      ])
  }

  func announceEnd(of writers: Int) throws {
    let zone = ZoneIdentifier(name: ExactName(StressNames.zone))
    let ends = (0..<writers).map { writer in
      RecordSave(
        id: RecordIdentifier(name: ExactName(StressNames.end(writer)), zone: zone), type: "End",
        parent: .set(ExactName(StressNames.root), zone: nil))
    }
    _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: ends), by: cloud.caller("alice"))
  }
}

/// Names that the processes of a stress run and their coordinator share.
package enum StressNames {
  package enum Mode: String, Sendable {
    /// Saves new records, one in each request.
    case singles
    /// Saves ten records together repeatedly. All of them always have the same stamp.
    case batches
    /// Reads the zone's feed and checks the batches.
    case reader
    /// Changes, once, a record that other processes change at the same time.
    case contest
  }

  package static let zone = "Shared"
  package static let root = "root"
  package static let contested = "contested"

  package static func single(_ writer: Int, _ index: Int) -> String { "w\(writer)-\(index)" }

  package static func batch(_ writer: Int) -> [String] { (0..<10).map { "b\(writer)-\($0)" } }

  package static func end(_ writer: Int) -> String { "end-\(writer)" }
}

extension TemporaryCloud {
  /// A cloud for several processes: with the machine's clock and random identifiers.
  package static func forProcesses() throws -> TemporaryCloud {
    try TemporaryCloud { settings in
      settings.clock = systemTimeMilliseconds
      settings.identifiers = HostProcess.randomBytes
    }
  }

  /// Saves a share of alice's. Bob and carol accept it, and may write.
  ///
  /// - Parameters:
  ///   - name: the share's record name.
  ///   - root: the record that is saved and shared; nil: the zone is shared as a whole.
  package func share(_ name: ExactName, of root: RecordSave?, in zone: ZoneIdentifier) throws {
    let alice = caller("alice")
    let people = try service.sharing.participants(
      for: [.email("bob@example.com"), .email("carol@example.com")], by: alice
    ).map {
      var person = try $0.get()
      person.permission = .readWrite
      return person
    }
    let share = RecordSave(
      id: RecordIdentifier(name: name, zone: zone), type: Record.shareType,
      share: ShareSave(root: root?.id.name, participants: people))
    let saves = [root, share].compactMap(\.self)
    let response = try service.records.modifyRecords(
      ModifyRecordsRequest(scope: .private, saves: saves), by: alice)
    let url = try response.saves[saves.count - 1].get().shareDetails?.url ?? ""
    for account in ["bob", "carol"] { _ = try service.sharing.acceptShare(url: url, by: caller(account)) }
  }
}
