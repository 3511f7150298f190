import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The zone feed: the changes in a zone, as its owner or as a participant sees them.
extension FeedService {
  static let defaultPage = 200
  static let maximumPage = 400

  /// Returns one page of the changes in a zone.
  ///
  /// - Assumption: a page holds at most 200 changes unless more are asked for, and never more than 400.
  ///
  /// - Returns: records that can't be presented are in `failed`; `token` is valid for the next request.
  /// - Throws: `serverRejectedRequest` for a default zone; `zoneNotFound` and other errors of the zone;
  ///   `changeTokenExpired` for a token that is not valid for this feed; `invalidArguments` for a negative limit;
  ///   errors of the account.
  package func zoneChanges(_ request: ZoneChangesRequest, by caller: Caller) throws(ServiceError) -> ZoneChanges {
    try perform(
      .zoneChanges, by: caller, on: RequestSubject(request.scope, zones: [request.zone]), errors: RequestSubject.report
    ) {
      let reader = try service.accounts.account(of: caller, reading: request.scope)
      let address = try service.zones.address(request.zone, in: request.scope, as: reader, caller)
      // Another account's default zone counts as missing. The public database has no other zone.
      guard let account = reader, !address.isDefault || address.role == .participant else {
        throw ServiceError(
          .serverRejectedRequest, "AppDefaultZone does not support sync semantics", internalCode: 2027)
      }
      let store = try service.zones.store(address, caller)
      try NameRules.check(limit: request.limit)
      let limit = request.limit > 0 ? min(request.limit, Self.maximumPage) : Self.defaultPage
      var changes = try service.records.reading(store, address, account, caller) { view, keys in
        let token = try request.since.map(OpaqueToken.init)
        if let token, !isOurs(token, "zone", request.scope, account, caller) { throw ServiceError.tokenExpired }
        let context = FeedContext(
          service: service, view: view, address: address, account: account, caller: caller, keys: keys,
          withAssets: request.withAssets)
        return address.role == .participant
          ? try SharedZoneFeed(context).page(token, limit, request.desiredKeys)
          : try ZoneFeed(context).page(token, limit, request.desiredKeys)
      }
      changes.clientChangeTokenData = try service.records.clientData(address, caller, account)
      return changes
    }
  }

  /// Whether the token is for this kind of feed, account, container, environment and database; it is valid for no
  /// other.
  func isOurs(
    _ token: OpaqueToken, _ kind: String, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) -> Bool {
    token["kind"]?.string == kind && token["user"]?.string == account.userRecordName
      && token["container"]?.string == caller.container
      && token["environment"]?.string == caller.environment.rawValue && token["scope"]?.string == scope.name
  }

  func tokenBase(_ kind: JSONValue, _ scope: DatabaseScope, _ account: Account, _ caller: Caller) -> JSONObject {
    [
      "container": .string(caller.container), "environment": .string(caller.environment.rawValue), "kind": kind,
      "scope": .string(scope.name), "user": .string(account.userRecordName),
    ]
  }
}
