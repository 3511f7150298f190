import CloudStore

/// The zone feed: what changed in a zone, as its owner or as a participant sees it.
extension CloudService {
  static let defaultPage = 200
  static let maximumPage = 400

  /// One page of what changed.
  ///
  /// - Assumption: a page holds at most 200 changes unless more are asked for, and never more than 400.
  package func zoneChanges(_ request: ZoneChangesRequest, by caller: Caller) throws(ServiceError) -> ZoneChanges {
    try perform(.zoneChanges, by: caller) {
      let account = try account(of: caller)
      let address = try address(request.zone, in: request.scope, as: account, caller)
      guard !address.isDefault else {
        throw ServiceError(
          .serverRejectedRequest, "AppDefaultZone does not support sync semantics", internalCode: 2027)
      }
      let store = try store(address, caller)
      let limit = request.limit > 0 ? min(request.limit, Self.maximumPage) : Self.defaultPage
      var changes = try store.read(patience(caller)) { view in
        var token = try request.since.map(Token.init)
        if let given = token, !isOurs(given, request.scope, account, caller) { throw ServiceError.tokenExpired }
        if token != nil, token?["kind"]?.string != "zone" {
          token = nil
          throw ServiceError.tokenExpired
        }
        return address.role == .participant
          ? try SharedZoneFeed(self, view, address, account, caller).page(token, limit, request.desiredKeys)
          : try ZoneFeed(self, view, address, account, caller).page(token, limit, request.desiredKeys)
      }
      changes.clientChangeTokenData = try clientData(address, caller, account)
      return changes
    }
  }

  /// A token is good for one user, container, environment and database.
  func isOurs(_ token: Token, _ scope: DatabaseScope, _ account: Account, _ caller: Caller) -> Bool {
    token["user"]?.string == account.userRecordName && token["container"]?.string == caller.container
      && token["environment"]?.string == caller.environment.rawValue && token["scope"]?.string == scope.name
  }

  func tokenBase(_ kind: JSONValue, _ scope: DatabaseScope, _ account: Account, _ caller: Caller) -> JSONObject {
    [
      "container": .string(caller.container), "environment": .string(caller.environment.rawValue), "kind": kind,
      "scope": .string(scope.name), "user": .string(account.userRecordName),
    ]
  }
}

/// The owner's feed: the zone's log from the token on, each record once, in its latest state.
struct ZoneFeed {
  let service: CloudService
  let view: ZoneView
  let address: ZoneAddress
  let account: Account
  let caller: Caller

  init(_ service: CloudService, _ view: ZoneView, _ address: ZoneAddress, _ account: Account, _ caller: Caller) {
    self.service = service
    self.view = view
    self.address = address
    self.account = account
    self.caller = caller
  }

  func page(_ token: Token?, _ limit: Int, _ keys: [String]?) throws -> ZoneChanges {
    let incarnation = try view.properties().incarnation
    let head = try view.head()
    var start: Int64 = 0
    // A walk that began at nil: up to here only the fetching device's own tombstones are reported (rule 10).
    var walkEnd = head
    if let token {
      guard token["zone"]?.string == incarnation, let sequence = token["sequence"]?.integer, sequence <= head else {
        throw ServiceError.tokenExpired
      }
      start = sequence
      walkEnd = token["walkEnd"]?.integer ?? 0
    }
    let device = caller.device(of: account)
    var changes = ZoneChanges(changed: [], deleted: [], token: "", moreComing: false)
    var reported: Set<ExactName> = []
    var position = start
    try view.forEachChange(after: start) { line in
      guard line.kind != .touch else { return true }
      let stored = try view.record(line.record)
      switch line.kind {
      case .save:
        guard let stored, stored.sequence == line.sequence else { return true }
      default:
        guard stored == nil, line.sequence > walkEnd || line.device == device, !reported.contains(line.record) else {
          return true
        }
      }
      if changes.changed.count + changes.deleted.count == limit {
        changes.moreComing = true
        return false
      }
      if let stored {
        changes.changed.append(try service.present(stored, address, to: account).keeping(keys))
      } else {
        changes.deleted.append(
          ZoneChanges.Deletion(record: RecordIdentifier(name: line.record, zone: address.identifier), type: line.type))
      }
      reported.insert(line.record)
      position = line.sequence
      return true
    }
    if !changes.moreComing { position = head }
    var object = service.tokenBase("zone", .private, account, caller)
    object["zone"] = .string(incarnation)
    object["sequence"] = .integer(position)
    if position < walkEnd { object["walkEnd"] = .integer(walkEnd) }
    changes.token = Token.text(object)
    return changes
  }
}
