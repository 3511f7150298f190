import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// A process that appends two saves to a zone's journal, takes the commit lease, and stops itself, as by Ctrl-Z. At
/// that point it has no lock of the zone, only the lease (Commits, [commit-18]).
package struct LockWorker: Sendable {
  package static let zone = ZoneIdentifier(name: "Notes")
  package static let names: [ExactName] = ["one", "two"]

  private let root: String
  private let isBeforeSync: Bool

  /// Parses the cloud's path, and `before` or `after` the sync that commits.
  package init?(arguments: [String]) {
    guard arguments.count == 2, ["before", "after"].contains(arguments[1]) else { return nil }
    (root, isBeforeSync) = (arguments[0], arguments[1] == "before")
  }

  package func run() throws {
    let saved = Mutex(0)
    let isBeforeSync = isBeforeSync
    let fileSystem = FileSystem { call in
      // From here on both saves are appended, so the process stops at its next sync of the journal, or at the next
      // rename of a record's file after that sync.
      guard saved.withLock({ $0 }) == 2 else { return .proceed }
      switch call {
      case .syncFile(let path) where isBeforeSync && path.hasSuffix("/Notes/.journal/log"): break
      case .rename(_, let path) where !isBeforeSync && path.hasSuffix("/records/one.json"): break
      default: return .proceed
      }
      saved.withLock { $0 = 3 }
      StandardStream.output.write("turn\n")
      HostProcess.stopHere()
      return .proceed
    }
    let service = try CloudService.open(root: root, fileSystem: fileSystem)
    let caller = Caller(account: "alice", device: nil, container: TemporaryCloud.container)
    guard let store = try FaultRunPeople(service).store(Self.zone) else { return }
    let steps = Self.names.map { name in
      { @Sendable in
        let save = RecordSave(
          id: RecordIdentifier(name: name, zone: Self.zone), type: "Item", fields: ["text": .string(name.string)])
        _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: [save]), by: caller).saves[0]
          .get()
      }
    }
    try store.runQueued(steps + [{ saved.withLock { $0 = 2 } }])
    StandardStream.output.write("done\n")
  }
}
