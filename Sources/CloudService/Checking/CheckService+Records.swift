import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// One page of the records in a zone, as their files hold them.
package struct FiledRecords: Sendable {
  package struct Item: Sendable {
    /// The record without its encrypted fields.
    package var record: Record
    /// The names of the encrypted fields, sorted, with their types. The values stay sealed.
    package var sealed: [(name: String, type: String)]
    /// The share that the record is in; nil if it is in none.
    package var share: ExactName?

    package init(_ record: Record, sealed: [(name: String, type: String)] = [], share: ExactName?) {
      (self.record, self.sealed, self.share) = (record, sealed, share)
    }
  }

  /// The number of records in the zone without shares, and the number of shares; only on the first page.
  package var counts: (records: Int, shares: Int)?
  package var items: [Item] = []
  /// Records that exist and can't be read.
  package var failed: [ZoneChanges.Failure] = []
  /// The position for the next page; nil if there is none.
  package var next: RecordPosition?

  package init() {}
}

extension CheckService {
  /// Returns one page of the records in any zone, by type and name, with the contents of assets. No permission is
  /// checked and no key is used: the page shows the files.
  ///
  /// - Parameters:
  ///   - database: a public or private database of ``contents()``.
  ///   - type: the record type; nil: all types, including users, without shares.
  ///   - after: the position from the previous page.
  /// - Throws: `zoneNotFound` if there is no such zone, also if it was deleted since it was listed.
  package func records(
    of zone: ExactName, in database: DatabaseContents, type: String? = nil, after: RecordPosition? = nil, limit: Int
  ) throws(ServiceError) -> FiledRecords {
    try perform(.administration, by: nil) {
      let path = ZonePath(
        database: DatabasePath(
          container: ExactName(database.container), environment: database.environment,
          scope: database.scope.folders(of: database.account)), zone: zone)
      guard let store = try cloud.zone(path) else { throw ServiceError.zoneNotFound(ZoneIdentifier(name: zone)) }
      return try store.read(waitPolicy(nil)) { view in
        let address = ZoneAddress(
          path: path, identifier: ZoneIdentifier(name: zone, owner: try view.properties().owner),
          ownerAccount: database.account, role: database.account == nil ? .publicUser : .owner)
        var page = FiledRecords()
        if after == nil {
          let shares = try view.count(ofType: Record.shareType, limit: .max)
          page.counts = (try view.recordCount() - shares, shares)
        }
        let positions = try view.positions(ofType: type, after: after, limit: limit)
        let membership = try Membership(view)
        for position in positions where type != nil || position.type != Record.shareType {
          do {
            if let item = try item(position.name, address, membership, view) { page.items.append(item) }
          } catch  where RecordService.concernsOneFile(error) {
            let identifier = RecordIdentifier(name: position.name, zone: address.identifier)
            page.failed.append(ZoneChanges.Failure(record: identifier, error: ServiceError(describing: error)))
          }
        }
        if positions.count == limit { page.next = positions.last }
        return page
      }
    }
  }

  private func item(
    _ name: ExactName, _ address: ZoneAddress, _ membership: Membership, _ view: ZoneView
  ) throws -> FiledRecords.Item? {
    guard let stored = try view.record(name) else { return nil }
    let sealed = (stored.object["fields"]?.object ?? [:]).compactMap { key, field -> (String, String)? in
      guard let field = field.object, field.isEncryptedField else { return nil }
      return (key, field["type"]?.string ?? "")
    }
    let record = try service.records.record(stored, in: address).keeping(nil, contentsIn: view)
    return FiledRecords.Item(record, sealed: sealed, share: try membership.share(of: name))
  }
}
