import Foundation
import FoundationPredicates
import ObjectStore

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
    // Those of one store are in their order already, whatever the clock said.
    if stores.count > 1 { transactions.sort { $0.timestamp < $1.timestamp } }
    if let predicate = request.fetchRequest?.predicate { transactions = transactions.filter(predicate.evaluate) }
    return NSPersistentHistoryResult(contents(transactions), resultType: request.resultType)
  }

  private func contents(_ transactions: [NSPersistentHistoryTransaction]) -> Any {
    switch request.resultType {
    case .statusOnly: true
    case .count: transactions.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    case .objectIDs: transactions.flatMap { ($0.changes ?? []).map(\.changedObjectID) }
    case .changesOnly: transactions.flatMap { $0.changes ?? [] }
    case .transactionsOnly, .transactionsAndChanges: transactions
    @unknown default: transactions
    }
  }

  private var stores: [NSPersistentStore] {
    let affected = request.affectedStores
    return context.stores.filter { store in
      store.isHistoryTracked && (affected?.contains { $0 === store } ?? true)
    }
  }

  private func transactions(of store: NSPersistentStore) throws -> [NSPersistentHistoryTransaction] {
    let start = request.start(in: store.identifier)
    let withChanges = request.resultType != .transactionsOnly
    // Without a token, all that was not purged is wanted.
    let found = try store.reading { try $0.history(after: start > 0 ? start : $0.historyHorizon()) }
    return found.compactMap { transaction in
      if let date = request.startDate, Date(timeIntervalSince1970: Double(transaction.time) / 1000) <= date {
        return nil
      }
      return NSPersistentHistoryTransaction(transaction, in: store, withChanges: withChanges)
    }
  }

  private func delete(in store: NSPersistentStore) throws {
    var last = request.start(in: store.identifier)
    if let date = request.startDate {
      let milliseconds = Int64(date.timeIntervalSince1970 * 1000)
      last = try store.reading { view in
        try view.history(after: view.historyHorizon()).last { $0.time < milliseconds }?.number ?? 0
      }
    }
    // What the mirroring has not sent yet is found in the history alone.
    if store.mirror != nil, let sent = try store.reading({ try UnsentChanges.token(in: $0) }) { last = min(last, sent) }
    guard last > 0 else { return }
    do { try store.objects.purgeHistory(through: last) } catch let error as ObjectStoreError {
      throw CoreDataError.store(error, url: store.url)
    }
  }
}
