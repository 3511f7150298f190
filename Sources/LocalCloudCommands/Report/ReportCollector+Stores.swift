import LocalCloudObjectStore
import LocalCloudStorage

/// Core Data stores with the changes that wait for export.
extension ReportCollector {
  /// Adds a store.
  ///
  /// - Throws: the errors of a store that is missing or damaged.
  mutating func add(store path: String) throws {
    let store = try ObjectStore.stored(path)
    guard let overview = try store.read({ try MirrorOverview($0) }) else {
      report.stores.append(Report.Store(path: path, isMirrored: false))
      return
    }
    var result = Report.Store(path: path)
    result.account = overview.account.user.map { people.name(of: $0) }
    result.container = overview.account.container
    result.holder = MirroringLease(store).holder()
    result.waiting = overview.waiting.prefix(ReportBudget.mostWaiting).map { waiting in
      let properties = waiting.properties.joined(separator: ", ")
      return Report.Store.Waiting(
        change: waiting.change.rawValue, object: waiting.object.map(store.text) ?? "",
        record: waiting.location?.name ?? "", zone: waiting.location?.zone.zone ?? "",
        properties: ReportBudget.beginning(properties))
    }
    result.moreWaiting = overview.waiting.count - result.waiting.count
    (result.newLinks, result.deletedLinks) = (overview.newLinks, overview.endingLinks)
    report.stores.append(result)
  }
}
