import CloudKit

/// A list: the user's own, or one that another person shares. It is a zone.
struct ShoppingList: Codable {
  let zoneName: String
  let ownerName: String
  /// The title of the share.
  var title: String?
  /// The items by record name.
  var items: [String: Item] = [:]
  /// The record names of items that were removed here and are still in iCloud.
  var removed: Set<String> = []

  init(_ zoneID: CKRecordZone.ID) {
    zoneName = zoneID.zoneName
    ownerName = zoneID.ownerName
  }

  var zoneID: CKRecordZone.ID { CKRecordZone.ID(zoneName: zoneName, ownerName: ownerName) }
  var isShared: Bool { ownerName != CKCurrentUserDefaultName }

  /// The changes that have not reached iCloud.
  var unsent: [CKSyncEngine.PendingRecordZoneChange] {
    let edited = items.keys.filter { items[$0]?.isUnsent == true }
    var changes: [CKSyncEngine.PendingRecordZoneChange] = []
    for name in edited.sorted() { changes.append(.saveRecord(CKRecord.ID(recordName: name, zoneID: zoneID))) }
    for name in removed.sorted() { changes.append(.deleteRecord(CKRecord.ID(recordName: name, zoneID: zoneID))) }
    return changes
  }

  var lines: [String] {
    let heading = isShared ? "\(title ?? zoneName) (shared):" : "My list:"
    return [heading] + items.values.map { "  \($0.text)" }.sorted { $0.dropFirst(6) < $1.dropFirst(6) }
  }
}

/// All that the program stores on this device. The lists and the states of the engines are in one file, so that they
/// always belong together.
struct ShoppingData: Codable {
  static let ownZoneID = CKRecordZone.ID(zoneName: "List")

  private(set) var lists = [ShoppingList(ShoppingData.ownZoneID)]
  /// The state of the engine of each database.
  var states: [String: CKSyncEngine.State.Serialization] = [:]
  /// Whether the own list was deleted in iCloud. Its zone is made again with the next change of an item here.
  var isOwnListDeleted = false

  init() {}

  /// The list in that zone. A list that is assigned is added if it is new.
  subscript(zoneID: CKRecordZone.ID) -> ShoppingList? {
    get { lists.first { $0.zoneID == zoneID } }
    set {
      let index = lists.firstIndex { $0.zoneID == zoneID }
      switch (index, newValue) {
      case (let index?, let list?): lists[index] = list
      case (let index?, nil): lists.remove(at: index)
      case (nil, let list?): lists.append(list)
      case (nil, nil): break
      }
    }
  }

  /// The lists of the private database, or those of the shared one.
  func lists(isShared: Bool) -> [ShoppingList] { lists.filter { $0.isShared == isShared } }

  /// Removes what the user's account has in one of the databases. The own list remains, and is empty.
  mutating func removeLists(isShared: Bool) {
    lists.removeAll { $0.isShared == isShared }
    if isShared { return }
    lists.insert(ShoppingList(ShoppingData.ownZoneID), at: 0)
    isOwnListDeleted = false
  }

  /// The own list was deleted in iCloud. The items that stay are new.
  mutating func endOwnList(keeping isKept: (Item) -> Bool) {
    var list = ShoppingList(ShoppingData.ownZoneID)
    list.items = (self[list.zoneID]?.items ?? [:]).filter { isKept($0.value) }
    for name in list.items.keys { list.items[name]?.forgetRecord() }
    self[list.zoneID] = list
    isOwnListDeleted = true
  }

  /// The record to send; nil: iCloud has the item already, or it was removed here.
  func unsentRecord(_ recordID: CKRecord.ID) -> CKRecord? {
    guard let item = self[recordID.zoneID]?.items[recordID.recordName], item.isUnsent else { return nil }
    return item.record(recordID)
  }
}
