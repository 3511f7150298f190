import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Data is deleted with its type or field ([schema-import-4]).
extension SchemaService {
  /// The number of records that one commit examines.
  private static let page = 400

  /// Deletes the records of lost types and the values of lost fields in all databases of the caller's environment. Adds
  /// each commit's losses to `done`. Call it while the schema's lock prevents other processes from writing.
  func removeData(_ reduction: SchemaReduction, _ caller: Caller, _ done: inout SchemaImport) throws {
    if reduction.isEmpty { return }
    let accounts = Dictionary(
      try service.accounts.allAccounts().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    try service.repairs.forEachDatabaseWithZones(ExactName(caller.container), caller.environment) { database in
      let owner = database.path.scope.dropFirst().first
      let account = owner.flatMap { accounts[$0] }
      // The public database has no owner. A removed account leaves at most its user record.
      let actor = account ?? Account(name: owner ?? "", userRecordName: "", created: 0)
      for zone in try database.zones() {
        let address = try service.zones.address(
          ZoneIdentifier(name: zone), in: owner == nil ? .public : .private, as: actor, caller)
        try removeData(reduction, in: address, of: account, as: actor, account.map(caller.by) ?? caller, &done)
      }
    }
  }

  private func removeData(
    _ reduction: SchemaReduction, in address: ZoneAddress, of account: Account?, as actor: Account, _ caller: Caller,
    _ done: inout SchemaImport
  ) throws {
    var last: (type: String, name: ExactName)?
    var isMore = true
    while isMore {
      isMore = false
      var counts = SchemaLossCounts()
      let isAffected = try service.keys.withKeys(of: account, caller) { keyProvider in
        try service.zones.inZone(address, caller) { transaction in
          let records = try reduction.records(in: transaction.view, after: last, limit: Self.page)
          isMore = records.count == Self.page
          guard !records.isEmpty else { return false }
          let change = try ZoneChange(service, caller, actor, address, transaction, keys: keyProvider)
          counts = try SchemaLoss(change: change).reduce(records, by: reduction)
          if !transaction.isEmpty { try transaction.commit(waitPolicy(caller)) }
          last = records.last
          return true
        }
      }
      if isAffected { done.add(counts, in: EnvironmentZone(environment: caller.environment, zone: address.identifier)) }
    }
  }
}
