import Foundation
import LocalCloudObjectStore

/// Answers history requests.
struct HistoryReading {
  let context: NSManagedObjectContext
  let request: NSPersistentHistoryChangeRequest

  func result() throws -> NSPersistentHistoryResult {
    if request.isDeletion {
      for store in stores { try delete(in: store) }
      return NSPersistentHistoryResult(true, resultType: .statusOnly)
    }
    var transactions: [NSPersistentHistoryTransaction] = []
    for store in stores { transactions += try self.transactions(of: store) }
    // The transactions of one store are in order already, even if the clock was changed.
    if stores.count > 1 { transactions.sort { $0.timestamp < $1.timestamp } }
    let fetch = ListFetch(request.fetchRequest)
    guard isForChanges else {
      transactions = fetch.run(transactions)
      return NSPersistentHistoryResult(
        contents(transactions, transactions.flatMap { $0.changes ?? [] }), resultType: request.resultType)
    }
    transactions = transactions.compactMap { transaction in
      let changes = (transaction.changes ?? []).filter(fetch.matches)
      return changes.isEmpty ? nil : transaction.with(changes)
    }
    return NSPersistentHistoryResult(
      contents(transactions, fetch.page(transactions.flatMap { $0.changes ?? [] })), resultType: request.resultType)
  }

  /// Whether the predicate applies to changes instead of transactions.
  private var isForChanges: Bool {
    request.fetchRequest?.entityName == NSPersistentHistoryChange.entityDescription?.name
  }

  private func contents(
    _ transactions: [NSPersistentHistoryTransaction], _ changes: [NSPersistentHistoryChange]
  ) -> Any {
    switch request.resultType {
    case .statusOnly: return true
    case .count: return changes.count
    case .objectIDs: return changes.map(\.changedObjectID)
    case .changesOnly:
      for transaction in transactions {
        let withoutChanges = transaction.with(nil)
        for change in transaction.changes ?? [] { change.retainTransaction(withoutChanges) }
      }
      return changes
    case .transactionsOnly: return transactions.map { $0.with(nil) }
    case .transactionsAndChanges: return transactions
    @unknown default: return transactions
    }
  }

  private var stores: [NSPersistentStore] {
    context.stores(among: request.affectedStores).filter(\.isHistoryTracked)
  }

  private func transactions(of store: NSPersistentStore) throws -> [NSPersistentHistoryTransaction] {
    let start = request.start(in: store.identifier)
    let withChanges = request.resultType != .transactionsOnly || isForChanges
    // Without a token, everything that was not purged is returned.
    let found = try store.reading { try $0.history(after: start > 0 ? start : $0.historyHorizon()) }
    return found.compactMap { transaction in
      if let date = request.startDate, transaction.secondsSince1970 <= date.timeIntervalSince1970 { return nil }
      return NSPersistentHistoryTransaction(transaction, in: store, withChanges: withChanges)
    }
  }

  private func delete(in store: NSPersistentStore) throws {
    var last = request.start(in: store.identifier)
    if let date = request.startDate {
      last = try store.reading { view in
        let history = try view.history(after: view.historyHorizon())
        return history.last { $0.secondsSince1970 < date.timeIntervalSince1970 }?.number ?? 0
      }
    }
    // Changes that the mirroring has not sent yet are only in the history: they stay.
    if store.mirror != nil, let sent = try store.reading({ try UnsentChanges.token(in: $0) }) { last = min(last, sent) }
    guard last > 0 else { return }
    try CoreDataError.translating(store.url, isWrite: true) { try store.objects.purgeHistory(through: last) }
  }
}
