import LocalCloudModel
import LocalCloudStore

/// Queries.
package struct QueryService: ServiceSubject {
  let service: CloudService
}

extension QueryService {
  /// Returns a page of the records that match a query and that the caller may see.
  ///
  /// - Difference: in development an app's query without a predicate needs no index on `recordName`, as cktool's does,
  ///   and finds nothing in a type that was never saved, where iCloud answers `unknownItem`; production is as strict as
  ///   iCloud, and development with `LOCALCLOUD_STRICT`. All queries see the save before them.
  ///
  /// - Throws: `permissionFailure` for users and shares; `invalidArguments` for a negative limit, a missing index, an
  ///   unknown field, a value of another type, the cursor of another query, or a shared database without a zone;
  ///   `changeTokenExpired` for text that is no cursor; `unknownItem` for a type that does not exist; errors of the
  ///   zone and of the account.
  package func queryRecords(
    _ request: QueryRecordsRequest, by caller: Caller
  ) throws(ServiceError) -> QueryRecordsResponse {
    try perform(.queryRecords, by: caller, on: RequestSubject(request)) { faults in
      let account = try service.accounts.account(of: caller, reading: request.scope)
      let query = request.query
      try Self.checkQueried(type: query.recordType)
      try NameRules.check(limit: request.limit)
      if request.zone == nil, request.scope == .shared {
        throw ServiceError.invalid("SharedDB does not support Zone Wide queries")
      }
      let addresses = try addresses(of: request, account, caller)
      let schema = try service.schemas.storedSchema(caller.container, caller.environment)
      let search = try QuerySearch(
        request, schema.types[query.recordType], settings.queries, settings.indexes, isZoneWide: request.isZoneWide)
      func check() throws {
        do throws(ServiceError) {
          try schema.check(
            query, container: caller.container, isStrict: request.needsNameIndex || isStrict(caller.environment))
        } catch {
          throw error.naming(deploymentIn: caller.environment)
        }
      }
      if addresses.isEmpty { try check() }
      var found: [QuerySearch.Found] = []
      for address in addresses where search.reaches(address) {
        // A zone that was deleted since has no records. There may be more zones than the process can hold open.
        guard let store = try request.isZoneWide ? cloud.zone(address.path) : service.zones.store(address, caller)
        else { continue }
        found += try service.records.reading(store, address, account, caller) { view, keys in
          let access = try service.sharing.access(ofParticipant: account, address, view)
          let grants = try service.schemas.grants(address, caller)
          try search.checkCursor(view)
          try check()
          return try search.find(in: view, at: address, user: account?.userRecordName) { name, stored in
            if let access, try !access.shows(name, view) { return false }
            if faults.hides(stored, in: address.path.zone) { return false }
            return grants.allowReading(stored, by: account, caller)
          } mayReveal: { name in
            try access?.mayReveal(of: name, view) ?? true
          } present: { (record, stored) throws(ServiceError) in
            try service.records.present(
              record, of: stored, to: account, keys, request.desiredKeys, contentsIn: request.withAssets ? view : nil)
          }
        }
        if search.isFull(found.count) { break }
      }
      return search.response(found)
    }
  }

  /// Returns the filters that a record does not pass, each with the value of its field. The rules are those of a query,
  /// but nothing is searched: no index is needed, and encrypted values are compared, too. A field without a value, or
  /// of another type, passes no filter.
  package func refusals(
    of record: Record, by filters: [QueryFilter], _ caller: Caller
  ) throws(ServiceError) -> [(filter: QueryFilter, value: FieldValue?)] {
    var record = record
    record.fields.merge(record.encryptedFields) { plain, _ in plain }
    do {
      let type = try service.schemas.storedSchema(caller.container, caller.environment).types[record.type]
      let user = service.accounts.ownName(of: caller)
      return filters.compactMap { filter -> (filter: QueryFilter, value: FieldValue?)? in
        let matcher = QueryMatcher(
          QueryCondition([filter]), in: record.id.zone, user: user, rules: settings.queries, type: type)
        if matcher.matches(record) { return nil }
        return (filter, filter.key.flatMap { record.value(of: $0, SystemField(key: $0)) })
      }
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// Whether queries need the types and indexes that they need in iCloud.
  func isStrict(_ environment: CloudEnvironment) -> Bool { environment == .production || settings.queries.isStrict }

  /// Throws for types that can't be queried: users and shares.
  static func checkQueried(type: String) throws(ServiceError) {
    if type == Record.userType || type == Record.shareType {
      throw ServiceError(.permissionFailure, "Can't query system types", internalCode: 2007)
    }
    try NameRules.check(type: type)
  }

  /// The zones to search, in the order of their names.
  private func addresses(
    of request: QueryRecordsRequest, _ account: Account?, _ caller: Caller
  ) throws -> [ZoneAddress] {
    guard request.isZoneWide, let account else {
      let address = try service.zones.address(request.zone ?? .default, in: request.scope, as: account, caller)
      _ = try service.zones.store(address, caller)
      return [address]
    }
    let folder = try cloud.database(service.zones.databasePath(request.scope, account: account.name, caller))
    return try (folder?.zones() ?? []).map { name in
      try service.zones.address(ZoneIdentifier(name: name), in: request.scope, as: account, caller)
    }
  }
}

extension QueryRecordsRequest {
  fileprivate var isZoneWide: Bool { zone == nil && scope == .private }
}
