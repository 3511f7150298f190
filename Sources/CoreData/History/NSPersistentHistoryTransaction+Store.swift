import Foundation
import LocalCloudObjectStore

extension NSPersistentHistoryTransaction {
  /// A transaction with the contents from the store's history.
  convenience init(_ transaction: HistoryTransaction, in store: NSPersistentStore, withChanges: Bool) {
    var content = Content(
      number: transaction.number, timestamp: Date(timeIntervalSince1970: transaction.secondsSince1970),
      author: transaction.author, contextName: transaction.contextName, bundle: transaction.bundle,
      process: transaction.process, store: store.identifier ?? "")
    if withChanges {
      content.changes = transaction.changes.enumerated().map { index, change in
        NSPersistentHistoryChange(change, id: Int64(index + 1), in: store)
      }
    }
    self.init(content)
  }
}

extension NSPersistentHistoryChange {
  fileprivate convenience init(_ change: HistoryChange, id: Int64, in store: NSPersistentStore) {
    switch change {
    case .insert(let row): self.init(id: id, object: store.objectID(row), type: .insert)
    case .update(let row, let names):
      let object = store.objectID(row)
      let properties = object.entity.propertiesByName
      self.init(id: id, object: object, type: .update, properties: names.compactMap { properties[$0] })
    case .delete(let row, let values):
      let object = store.objectID(row)
      let attributes = object.entity.attributesByName
      var preserved: [AnyHashable: Any] = [:]
      for (name, value) in values {
        guard let attribute = attributes[name] else { continue }
        // A tombstone has no values that were stored in a file of the store.
        preserved[name] = value.object(of: attribute) { _ in nil }
      }
      self.init(id: id, object: object, type: .delete, preserved: preserved.isEmpty ? nil : preserved)
    }
  }
}
