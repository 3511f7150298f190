import CloudKit

/// An item of a list, as this device has it.
struct Item: Codable {
  /// The fields that people change. Two devices that change different fields do not disturb each other.
  enum Field: String, Codable {
    case quantity
    case isDone
  }

  static let recordType = "Item"

  let name: String
  private(set) var quantity = 1
  private(set) var isDone = false
  /// The fields that were changed here and have not reached iCloud.
  private var edited: Set<Field> = []
  /// The record's identity and change tag, from the last answer of iCloud; nil: the item has not reached iCloud.
  private var systemFields: Data?

  init(name: String) {
    self.name = name
  }

  /// Items with equal names are one record, on all devices.
  static func recordName(of name: String) -> String {
    name.lowercased().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
  }

  var isInCloud: Bool { systemFields != nil }
  var isUnsent: Bool { systemFields == nil || !edited.isEmpty }

  /// `[x] milk  2`
  var text: String { "[\(isDone ? "x" : " ")] \(name)\(quantity == 1 ? "" : "  \(quantity)")" }

  mutating func set(quantity: Int) {
    self.quantity = quantity
    edited.insert(.quantity)
  }

  mutating func set(isDone: Bool) {
    self.isDone = isDone
    edited.insert(.isDone)
  }
}

extension Item {
  /// The record to send. With its change tag, iCloud refuses it if another device has changed the record since.
  func record(_ recordID: CKRecord.ID) -> CKRecord {
    let record =
      systemFields.flatMap(Self.record(systemFields:)) ?? CKRecord(recordType: Self.recordType, recordID: recordID)
    record["name"] = name
    record["quantity"] = quantity
    record["isDone"] = isDone
    return record
  }

  /// Takes a version that iCloud has: one that was fetched, one that this device saved, or one that it conflicts with.
  /// Fields that were changed here and not sent yet stay. A version that is older than the known one is ignored.
  mutating func merge(_ record: CKRecord) {
    let known = systemFields.flatMap(Self.record(systemFields:))?.modificationDate ?? .distantPast
    guard record.modificationDate ?? .distantPast >= known else { return }
    let (quantity, isDone) = (record["quantity"] as Int? ?? 1, record["isDone"] as Bool? ?? false)
    if !edited.contains(.quantity) || self.quantity == quantity {
      self.quantity = quantity
      edited.remove(.quantity)
    }
    if !edited.contains(.isDone) || self.isDone == isDone {
      self.isDone = isDone
      edited.remove(.isDone)
    }
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: coder)
    coder.finishEncoding()
    systemFields = coder.encodedData
  }

  /// The record is no longer in iCloud. The next one that is sent is new.
  mutating func forgetRecord() { systemFields = nil }

  private static func record(systemFields: Data) -> CKRecord? {
    guard let coder = try? NSKeyedUnarchiver(forReadingFrom: systemFields) else { return nil }
    coder.requiresSecureCoding = true
    return CKRecord(coder: coder)
  }
}
