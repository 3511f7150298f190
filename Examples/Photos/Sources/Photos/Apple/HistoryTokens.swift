import CoreData

/// The last processed transaction of each store's history, in a file beside the stores.
///
/// A file that can't be read counts as missing: processing history twice changes nothing.
struct HistoryTokens {
  let url: URL

  subscript(store: NSPersistentStore) -> NSPersistentHistoryToken? {
    guard let data = archives()[store.identifier ?? ""] else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
  }

  func set(_ token: NSPersistentHistoryToken, for store: NSPersistentStore) throws {
    var archives = archives()
    archives[store.identifier ?? ""] = try NSKeyedArchiver.archivedData(
      withRootObject: token, requiringSecureCoding: true)
    try PropertyListEncoder().encode(archives).write(to: url, options: .atomic)
  }

  private func archives() -> [String: Data] {
    guard let data = try? Data(contentsOf: url) else { return [:] }
    return (try? PropertyListDecoder().decode([String: Data].self, from: data)) ?? [:]
  }
}
