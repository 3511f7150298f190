import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Paths in the tree, for people and scripts that read its files. A path does not say that the file exists. These
/// functions do not count as requests.
extension ZoneService {
  /// The folder of a database.
  ///
  /// - Throws: errors of the account.
  package func path(of scope: DatabaseScope, by caller: Caller) throws(ServiceError) -> String {
    do {
      let account = try service.accounts.account(of: caller, reading: scope)
      return path(of: databasePath(scope, account: account?.name, caller).components)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// The folder of a zone. That of a shared zone is in its owner's private database.
  ///
  /// - Throws: errors of the zone and of the account.
  package func path(of zone: ZoneIdentifier, in scope: DatabaseScope, by caller: Caller) throws(ServiceError) -> String
  {
    do {
      let account = try service.accounts.account(of: caller, reading: scope)
      return path(of: try address(zone, in: scope, as: account, caller).path.components)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// The file of a record.
  package func path(
    ofRecord record: RecordIdentifier, in scope: DatabaseScope, by caller: Caller
  ) throws(ServiceError) -> String {
    ([try path(of: record.zone, in: scope, by: caller)] + StorePath.record(record.name).components)
      .joined(separator: "/")
  }

  /// The file with the content of an asset.
  package func path(
    ofAsset name: ContentName, of zone: ZoneIdentifier, in scope: DatabaseScope, by caller: Caller
  ) throws(ServiceError) -> String {
    try path(of: zone, in: scope, by: caller) + "/\(ZoneFolder.assetsName)/\(name)"
  }

  private func path(of components: [String]) -> String { cloud.root.path(of: components.joined(separator: "/")) }
}
