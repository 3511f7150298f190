import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

extension RecordService {
  /// Exports an asset of a record that the caller may read, for a copy by the server ([record-asset-8]).
  ///
  /// - Parameter index: the asset's index in a list.
  /// - Throws: `unknownItem` if there is no such asset; `zoneNotFound`; errors of the account.
  package func exportAsset(
    _ key: String, at index: Int = 0, of record: RecordIdentifier, in scope: DatabaseScope, by caller: Caller
  ) throws(ServiceError) -> ExportedAsset {
    let request = FetchRecordsRequest(scope: scope, records: [record])
    return try perform(.fetchRecords, by: caller, on: RequestSubject(request)) { faults in
      if let error = faults.error(of: record) { throw error }
      let account = try service.accounts.account(of: caller)
      let held = try assets(key, of: record, in: scope, account, caller)
      guard held.indices.contains(index), let name = held[index].name else { throw ServiceError.noSource(key) }
      return ExportedAsset(
        name, key: key, of: record, in: scope, by: caller, on: caller.device(of: account),
        created: try settings.clock())
    }
  }

  /// The bytes of an exported asset.
  ///
  /// - Throws: `assetNotAvailable` if it is not valid for the caller, `unknownItem` if the record no longer has it
  ///   ([record-asset-9]).
  func content(of exported: ExportedAsset, by caller: Caller) throws -> any AssetReading {
    let account = try service.accounts.account(of: caller)
    let age = try settings.clock().subtractingReportingOverflow(exported.created)
    guard exported.device == caller.device(of: account), !age.overflow,
      (0...ExportedAsset.lifetime).contains(age.partialValue),
      let environment = CloudEnvironment(rawValue: exported.environment),
      let scope = DatabaseScope(rawValue: exported.scope), let name = ContentName(exported.fileChecksum)
    else { throw ServiceError.exportNotValid }
    var source = caller
    (source.container, source.environment, source.operation) = (exported.container, environment, nil)
    do {
      let held = try assets(exported.key, of: exported.identifier, in: scope, account, source)
      guard let content = held.first(where: { $0.name == name })?.content else {
        throw ServiceError.noSource(exported.key)
      }
      return content
    } catch let error as ServiceError {
      switch error.code {
      case .zoneNotFound, .userDeletedZone: throw ServiceError.noSource(exported.key)
      case .permissionFailure, .invalidArguments, .badContainer, .badDatabase: throw ServiceError.exportNotValid
      default: throw error
      }
    }
  }

  /// The assets of a field, with their bytes.
  private func assets(
    _ key: String, of record: RecordIdentifier, in scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws -> [AssetValue] {
    try NameRules.check(container: caller.container)
    let request = FetchRecordsRequest(scope: scope, records: [record], desiredKeys: [key], withAssets: true)
    let found = try fetch([record.name], record.zone, request, account, caller)
    return try found[0].get().fields[key]?.assets ?? []
  }
}

extension ServiceError {
  static func noSource(_ key: String) -> ServiceError {
    ServiceError(.unknownItem, "Field '\(key)': the exported asset no longer exists", internalCode: 2003)
  }

  fileprivate static let exportNotValid = ServiceError(
    .assetNotAvailable, "The exported asset's identifier is not valid here, or has expired",
    hint: "Export the asset again, on this device.")
}
