import CloudModel
import CloudService
import CloudStore
import FaultInjection

/// A cloud with one share, and somebody who comes to it in one of the ways of ``PermissionTable/Who``: Alice shares, Bob is
/// the one in question, Carol takes part beside him, and nobody invited Dora.
package struct PermissionStage: Sendable {
  package let kind: PermissionTable.Kind
  package let who: PermissionTable.Who
  package let image: FolderImage
  /// Alice's user record name: whose zone it is, for the others.
  package let ownerName: String

  package static let zoneName = "Notes"
  /// The encrypted value `secret` of each note.
  package static let secret = "hidden"

  package init(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) throws {
    (self.kind, self.who) = (kind, who)
    // Long ago, so that what comes of it comes later by any clock.
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

  /// The cells that play on it.
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
