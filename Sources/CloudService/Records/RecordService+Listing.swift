import LocalCloudModel
import LocalCloudStore

extension RecordService {
  /// The largest number of names and bytes in one page of a listing.
  private static let pageNames = 100
  private static let pageBytes = 1 << 20

  /// Returns one page of the records in a zone that the caller may see.
  ///
  /// - Returns: up to 100 records or 1 MB; records that can't be read are in `failed`.
  /// - Throws: `zoneNotFound` and other errors of the zone; errors of the account.
  package func listRecords(_ request: ListRecordsRequest, by caller: Caller) throws(ServiceError) -> RecordPage {
    try perform(.fetchRecords, by: caller, on: RequestSubject(request.scope, zones: [request.zone])) {
      let account = try service.accounts.account(of: caller, reading: request.scope)
      let address = try service.zones.address(request.zone, in: request.scope, as: account, caller)
      return try reading(service.zones.store(address, caller), address, account, caller) { view, keys in
        let access = try service.sharing.access(ofParticipant: account, address, view)
        let grants = try service.schemas.grants(address, caller)
        let positions = try view.positions(ofType: request.type, after: request.after, limit: Self.pageNames)
        var page = RecordPage()
        var bytes = 0
        for position in positions {
          page.next = position
          do {
            if let access, try !access.shows(position.name, view) { continue }
            guard let stored = try view.record(position.name), grants.allowReading(stored, by: account, caller) else {
              continue
            }
            let record = try present(
              stored, address, to: account, keys, contentsIn: request.withAssets ? view : nil)
            bytes += record.size
            page.records.append(record)
          } catch  where Self.concernsOneFile(error) {
            if let access, try !access.mayReveal(of: position.name, view) { continue }
            let identifier = RecordIdentifier(name: position.name, zone: address.identifier)
            page.failed.append(ZoneChanges.Failure(record: identifier, error: ServiceError(describing: error)))
          }
          if bytes >= Self.pageBytes { return page }
        }
        if positions.count < Self.pageNames { page.next = nil }
        return page
      }
    }
  }
}

extension ZoneView {
  /// The positions of records by type and name, after a position.
  func positions(ofType type: String?, after: RecordPosition?, limit: Int) throws -> [RecordPosition] {
    guard let type else {
      return try typedRecords(after: after.map { ($0.type, $0.name) }, limit: limit).map(RecordPosition.init)
    }
    return try records(ofType: type, after: after?.name, limit: limit).map { RecordPosition(type: type, name: $0) }
  }
}

extension Record {
  fileprivate var size: Int {
    fields.values.reduce(0) { $0 + $1.size } + encryptedFields.values.reduce(0) { $0 + $1.size }
  }
}
