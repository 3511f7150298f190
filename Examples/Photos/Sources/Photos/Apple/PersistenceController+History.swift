import CoreData

/// The result of processing a store's history once.
struct HistoryReport {
  var store: String
  /// Whether processing continued at the end of the previous time, or began at the start.
  var isContinued: Bool
  var transactions: Int
  /// The number of changes by others for each entity.
  var changes: [String: Int]
  /// The names of tags that existed several times.
  var merged: [String]
}

extension PersistenceController {
  /// Called when this app, another program on the device, or iCloud wrote to a store.
  @objc func storeRemoteChange(_ notification: Notification) {
    guard let storeUUID = notification.userInfo?[NSStoreUUIDKey] as? String,
      let store = [privatePersistentStore, sharedPersistentStore].compactMap({ $0 })
        .first(where: { $0.identifier == storeUUID }),
      let context = shared.withLock({ $0.taskContext })
    else { return }
    context.perform { self.reportErrors { try self.processHistory(of: store, in: context) } }
  }

  /// Processes the new history of both stores, and returns when that is done.
  func processHistory() async {
    guard let context = shared.withLock({ $0.taskContext }) else { return }
    await context.perform {
      for store in [self.privatePersistentStore, self.sharedPersistentStore].compactMap({ $0 }) {
        self.reportErrors { try self.processHistory(of: store, in: context) }
      }
      self.reportErrors { try self.removeDuplicates(in: context) }
    }
  }

  /// The history processed since the launch.
  func reports() async -> [HistoryReport] {
    guard let context = shared.withLock({ $0.taskContext }) else { return [] }
    return await context.perform { self.historyReports }
  }

  /// Processes the changes by others since the last time. The token is stored after the work is saved: if the program
  /// is stopped in between, it repeats the work.
  private func processHistory(of store: NSPersistentStore, in context: NSManagedObjectContext) throws {
    var token = tokens[store]
    let transactions: [NSPersistentHistoryTransaction]
    do {
      transactions = try self.transactions(of: store, after: token, in: context)
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      token = nil
      transactions = try self.transactions(of: store, after: nil, in: context)
    }
    guard let last = transactions.last else { return }
    var report = HistoryReport(
      store: store === privatePersistentStore ? "private" : "shared", isContinued: token != nil,
      transactions: transactions.count, changes: [:], merged: [])
    var tagObjectIDs: [NSManagedObjectID] = []
    for change in transactions.flatMap({ $0.changes ?? [] }) {
      guard let name = change.changedObjectID.entity.name else { continue }
      report.changes[name, default: 0] += 1
      if name == Tag.entity().name, change.changeType != .delete { tagObjectIDs.append(change.changedObjectID) }
    }
    if store === privatePersistentStore {
      report.merged = try deduplicate(tagObjectIDs: tagObjectIDs, in: context)
    }
    try tokens.set(last.token, for: store)
    historyReports.append(report)
  }

  private func transactions(
    of store: NSPersistentStore, after token: NSPersistentHistoryToken?, in context: NSManagedObjectContext
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    if let fetchRequest = NSPersistentHistoryTransaction.fetchRequest {
      fetchRequest.predicate = NSPredicate(format: "author != %@", Self.author)
      request.fetchRequest = fetchRequest
    }
    request.affectedStores = [store]
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  /// Prints errors of background work. The next change tries the work again.
  func reportErrors(_ body: () throws -> Void) {
    do { try body() } catch {
      FileHandle.standardError.write(Data("Photos: history was not processed: \(error)\n".utf8))
    }
  }
}
