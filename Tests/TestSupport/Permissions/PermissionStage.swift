import FaultInjection
import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// A cloud with one share and the states of ``PermissionTable/Who``: Alice is the owner, Bob is the person with the
/// tested permissions, Carol is another participant, and Dora is not invited.
package struct PermissionStage: Sendable {
  package let kind: PermissionTable.Kind
  package let who: PermissionTable.Who
  package let image: FolderImage
  /// Alice's user record name, by which others identify the zone.
  package let ownerName: String

  package static let zoneName = "Notes"
  /// The encrypted value `secret` of each note.
  package static let secret = "hidden"

  package init(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) throws {
    (self.kind, self.who) = (kind, who)
    // The clock starts in the past, so that all later changes are later by any clock.
    let cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dora"]) {
      $0 = TemporaryCloud.settings(start: 1_600_000_000_000)
    }
    ownerName = try cloud.service.accounts.userRecordName(by: cloud.caller("alice"))
    let stager = PermissionStager(cloud: cloud, ownerName: ownerName, kind: kind)
    try stager.makeNotes()
    try stager.share(publicPermission: who.publicPermission, bobs: who.ownPermission)
    try stager.accept("carol")
    if who.joins { try stager.accept("bob") }
    if who == .removed { try stager.removeBob() }
    if who == .left { try stager.leave() }
    image = try withExtendedLifetime(cloud) { try FolderImage(of: cloud.path) }
  }

  /// The cells for this stage.
  package var cells: [PermissionTable.Cell] {
    PermissionTable.cells.filter { $0.kind == kind && $0.who == who }
  }
}

extension PermissionTable.Who {
  fileprivate var joins: Bool { [.writer, .reader, .removed, .left, .linkReader, .linkWriter].contains(self) }

  fileprivate var ownPermission: SharePermission? {
    switch self {
    case .writer, .pending, .removed, .left: .readWrite
    case .reader: .readOnly
    case .owner, .linkReader, .linkWriter, .stranger, .signedOut: nil
    }
  }

  fileprivate var publicPermission: SharePermission {
    switch self {
    case .linkReader: .readOnly
    case .linkWriter: .readWrite
    default: .none
    }
  }
}
