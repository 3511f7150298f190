import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// A cloud in a temporary folder, with a clock that advances one second at each reading and with sequential
/// identifiers. It is removed on deinit.
package final class TemporaryCloud: Sendable {
  package let path: String
  package let service: CloudService
  package static let container = "iCloud.test"

  package init(
    accounts: [String] = ["alice", "bob", "carol"], fileSystem: FileSystem = FileSystem(),
    configure: (inout ServiceSettings) -> Void = { _ in }
  ) throws {
    path = ScratchFolder.newPath("cloud")
    var settings = Self.settings()
    configure(&settings)
    service = try CloudService.create(root: path, settings: settings, fileSystem: fileSystem)
    for name in accounts {
      var changes = AccountChanges()
      changes.emails = ["\(name)@example.com"]
      changes.givenName = name.capitalizedFirst
      _ = try service.accounts.addAccount(name, changes)
    }
  }

  /// Settings with a clock that advances one second at each reading, and with identifiers that depend only on the
  /// arguments.
  package static func settings(start: Int64 = 1_800_000_000_000, ids: String = "id") -> ServiceSettings {
    var settings = ServiceSettings()
    // Small test clouds use indexes as large ones do.
    settings.indexes.leastRecords = 0
    let ticks = Counter()
    settings.clock = { start + ticks.next() * 1000 }
    let draws = Counter()
    settings.identifiers = { count in
      let text = Array("\(ids) \(draws.next())".utf8)
      var bytes: [UInt8] = []
      var block: UInt64 = 0
      while bytes.count < count {
        withUnsafeBytes(of: Digest.hash64(text, seed: block)) { bytes += $0 }
        block += 1
      }
      return Array(bytes.prefix(count))
    }
    return settings
  }

  deinit { try? ScratchFolder.remove(path) }

  package func caller(_ account: String?, device: String? = nil) -> Caller {
    Caller(account: account, device: device, container: Self.container)
  }

  /// The path of a zone in the owner's private database.
  package func zonePath(_ zone: String = "Notes", of owner: String = "alice") -> String {
    "\(path)/containers/\(Self.container)/development/private/\(owner)/zones/\(zone)"
  }

  package func zoneFolder(_ zone: String = "Notes", of owner: String = "alice") throws -> Directory {
    try Directory.open(path: zonePath(zone, of: owner), in: FileSystem())
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
