import CloudModel
import CloudStore
import Storage

/// A change of one zone in the making: who makes it, what its transaction holds so far, and whom it concerns.
///
/// Whoever makes one puts and deletes records in the transaction, then calls ``follow(reachingSender:)``, which plans what
/// follows from them: lines in the shares' logs, keys, mentions in the databases' logs, pushes. Nothing reaches the disk
/// before the transaction is committed.
///
/// Lives for one run of a zone's write, on its thread.
final class ZoneChange {
  let service: CloudService
  let caller: Caller
  let account: Account
  let address: ZoneAddress
  let transaction: ZoneTransaction
  /// What a participant may do; nil for others.
  let access: ParticipantAccess?
  let stamp: Stamp
  /// The same as each record holds it.
  let stampValue: JSONValue
  let properties: ZoneProperties
  /// Who was in which share before.
  let before: Membership
  /// Records as they will be, while the transaction does not have them yet.
  var planned: ((ExactName) throws -> StoredRecord?)?
  /// Shares whose members' view changes: their participants' shared databases mention the zone.
  var affectedShares: Set<ExactName> = []
  /// Accounts whose pointer to the zone changes beside.
  var affectedAccounts: Set<String> = []
  /// Accounts whose shared databases mention the zone.
  private(set) var viewers: Set<String> = []
  /// Whose keys there are; nil for changes that need none.
  private let holder: PrivateKeyProvider?
  private(set) lazy var keyPlan = KeyWrapPlan(
    service, address, holder, transaction,
    record: { [unowned self] in try planned?($0) ?? transaction.record($0) })

  /// - Parameter isLeaving: whether a participant who lost their keys in the zone may make the change.
  init(
    _ service: CloudService, _ caller: Caller, _ account: Account, _ address: ZoneAddress,
    _ transaction: ZoneTransaction, keys holder: PrivateKeyProvider? = nil, leaving isLeaving: Bool = false
  ) throws {
    self.service = service
    self.caller = caller
    self.account = account
    self.address = address
    self.transaction = transaction
    self.holder = holder
    if let operation = caller.operation, operation.life != .short { transaction.operation = operation.id }
    properties = try transaction.view.properties()
    before = try Membership(transaction.view)
    access =
      address.role == .participant
      ? try service.sharing.access(of: account, address, transaction.view, mayBeReset: isLeaving) : nil
    stamp = Stamp(
      timestamp: service.settings.clock(), userRecordName: account.userRecordName,
      deviceID: caller.device(of: account))
    stampValue = .object(stamp.object)
  }

  func account(_ userRecordName: String?) throws -> Account? {
    try userRecordName.flatMap { try service.accountFiles.account(ofUser: $0) }
  }

  /// Plans what follows from the records, which the transaction has by now.
  ///
  /// - Parameter reachingSender: whether pushes go to the caller's device, too, as it did not do it.
  func follow(reachingSender: Bool = false) throws {
    planned = nil
    try MembershipChanges(self).write()
    try keyPlan.followRecords(affectedShares)
    try mention()
    try PushPlanner(self, reachingSender: reachingSender).plan()
  }

  /// Says in the databases' logs that this zone changed: the owner's, and those of everybody who sees a change.
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
