import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import TestSupport

/// The zones of ``HistoryRun`` and the accounts that use them.
enum HistoryZone: String, CaseIterable {
  /// Alice's zone. Bob and Carol share it as a whole.
  case shared = "alice/Shared"
  case alice = "alice/Own"
  case bob = "bob/Own"
  case carol = "carol/Own"
  /// Alice's zone that is deleted and created again and again.
  case fleeting = "alice/Fleeting"

  static let accounts = ["alice", "bob", "carol"]
  static let records = (0..<5).map { "r\($0)" }
  static let recordType = "Item"

  var owner: String { String(rawValue.prefix { $0 != "/" }) }

  private var name: ExactName { ExactName(String(rawValue.drop { $0 != "/" }.dropFirst())) }

  func isVisible(to account: String) -> Bool { self == .shared || owner == account }

  func scope(for account: String) -> DatabaseScope { owner == account ? .private : .shared }

  /// - Parameter alice: Alice's user record name.
  func identifier(for account: String, alice: String) -> ZoneIdentifier {
    ZoneIdentifier(name: name, owner: owner == account ? nil : alice)
  }
}

/// The cloud of ``HistoryRun``.
struct HistoryStage {
  let cloud: TemporaryCloud
  /// Alice's user record name.
  let alice: String

  init() throws {
    cloud = try .forProcesses()
    let service = cloud.service
    let caller = cloud.caller("alice")
    alice = try service.accounts.userRecordName(by: caller)
    for zone in HistoryZone.allCases {
      let request = ModifyZonesRequest(
        scope: .private, saves: [zone.identifier(for: zone.owner, alice: alice)])
      _ = try service.zones.modifyZones(request, by: cloud.caller(zone.owner)).saves[0].get()
    }
    try cloud.share(Record.zoneWideShareName, of: nil, in: HistoryZone.shared.identifier(for: "alice", alice: alice))
  }
}
