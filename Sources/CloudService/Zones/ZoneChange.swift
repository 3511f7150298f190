import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// A planned change of one zone: the caller that makes it, its transaction so far, and the accounts and shares that it
/// affects.
///
/// A user of this class puts and deletes records in the transaction, then calls ``planConsequences(reachingSender:)`` to
/// plan the consequences: lines in the shares' logs, keys, mentions in the databases' logs, pushes. Nothing is written
/// to disk before the transaction is committed.
///
/// Used only within one write transaction of the zone, on its thread.
final class ZoneChange {
  let service: CloudService
  let caller: Caller
  let account: Account
  let address: ZoneAddress
  let transaction: ZoneTransaction
  /// The permissions of a participant; nil for other roles.
  let access: ParticipantAccess?
  let stamp: Stamp
  /// The stamp as records store it.
  let stampValue: JSONValue
  let properties: ZoneProperties
  /// The share of each record before the change.
  let before: Membership
  /// Returns planned records that are not in the transaction yet.
  var planned: ((ExactName) throws -> StoredRecord?)?
  /// Shares with participants that see a change: their shared databases mention the zone.
  var affectedShares: Set<ExactName> = []
  /// Whether another change of the same kind has to follow: one commit deletes a limited number of records.
  var leavesRecords = false
  /// Further accounts to notify, as their pointer to the zone changes.
  var affectedAccounts: Set<String> = []
  /// Accounts with a shared database that mentions the zone.
  private(set) var viewers: Set<String> = []
  /// The private keys that the change may use; nil for a change that needs none.
  private let keyProvider: PrivateKeyProvider?
  private(set) lazy var keyPlan = KeyWrapPlan(
    service, address, keyProvider, transaction,
    record: { [unowned self] in try planned?($0) ?? transaction.record($0) })

  /// - Parameter isLeaving: whether a participant without their keys in the zone may still make the change.
  init(
    _ service: CloudService, _ caller: Caller, _ account: Account, _ address: ZoneAddress,
    _ transaction: ZoneTransaction, keys keyProvider: PrivateKeyProvider? = nil, leaving isLeaving: Bool = false
  ) throws {
    self.service = service
    self.caller = caller
    self.account = account
    self.address = address
    self.transaction = transaction
    self.keyProvider = keyProvider
    if let operation = caller.operation, operation.life != .short { transaction.operation = operation.id }
    properties = try transaction.view.properties()
    before = try Membership(transaction.view)
    access =
      address.role == .participant
      ? try service.sharing.access(of: account, address, transaction.view, mayBeReset: isLeaving) : nil
    stamp = Stamp(
      timestamp: try service.settings.clock(), userRecordName: account.userRecordName,
      deviceID: caller.device(of: account))
    stampValue = .object(stamp.object)
    transaction.stamp = ChangeStamp(stamp, in: address)
  }

  func account(_ userRecordName: String?) throws -> Account? {
    try userRecordName.flatMap { try service.accountFiles.account(ofUser: $0) }
  }

  /// Plans the consequences of the changed records. Call it after the transaction has all of them.
  ///
  /// - Parameter reachingSender: whether pushes also go to the caller's device, because it did not make the change
  ///   itself.
  func planConsequences(reachingSender: Bool = false) throws {
    planned = nil
    try MembershipChanges(self).write()
    try keyPlan.updateKeys(affectedShares)
    try mention()
    try PushPlanner(self, reachingSender: reachingSender).plan()
  }

  /// Mentions the zone in the change logs of the owner's database and of the shared databases of accounts that see a
  /// change.
  func mention() throws {
    guard !transaction.isEmpty, address.isMentioned, address.role != .publicUser else { return }
    transaction.mention(in: address.path.database, as: address.path.zone)
    var accounts = affectedAccounts
    for share in affectedShares.sorted() {
      guard let found = try transaction.share(share) ?? transaction.view.share(share) else { continue }
      for participant in found.details.joined {
        if let account = try self.account(participant.identity.userRecordName) { accounts.insert(account.name) }
      }
    }
    viewers = accounts
    for account in accounts.sorted() {
      transaction.mention(
        in: address.path.database.beside(.shared, of: account), as: address.path.zone,
        owner: address.identifier.owner.map { ExactName($0) })
    }
  }
}
