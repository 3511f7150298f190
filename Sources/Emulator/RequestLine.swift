import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Writes a line of the request log: a JSON object that is never longer than ``RequestLogFile/longestLine``, whatever
/// names an app or a command line has.
///
/// A longer text is cut, and ends in "…". An object has all members. Its lists end early in a long line.
struct RequestLine: ~Copyable {
  private var writer = JSONWriter(isPretty: false)

  /// The maximum bytes of a name as it is written; as many as the longest name that CloudKit permits has.
  private static let nameBytes = 256
  /// The maximum bytes of an error's message as it is written.
  private static let messageBytes = 1024
  /// The maximum number of items, and of zones.
  private static let mostEntries = 20
  /// No further item begins in a line of this length; and no further zone, in a line of the other.
  private static let (itemsEnd, zonesEnd) = (8 << 10, 12 << 10)

  init() { writer.begin(.object) }

  consuming func finish() -> [UInt8] {
    writer.end(.object)
    writer.endLine()
    return writer.bytes
  }

  mutating func text(_ key: StaticString, _ text: String?) {
    writer.member(key, text.map { Self.cut($0, to: Self.nameBytes) })
  }

  mutating func number(_ key: StaticString, _ number: Int64) { writer.member(key, number) }

  mutating func number(_ key: StaticString, _ number: Double) {
    writer.key(key)
    writer.add(.double(number))
  }

  mutating func error(_ error: ServiceError?) {
    guard let error else { return }
    writer.key("error")
    writer.begin(.object)
    writer.member("ckErrorCode", Int64(error.code.rawValue))
    writer.member("message", Self.cut(error.message, to: Self.messageBytes))
    writer.end(.object)
  }

  mutating func group(_ group: OperationContext.Group?) {
    guard let group else { return }
    writer.key("group")
    writer.begin(.object)
    text("expectedReceiveSize", group.expectedReceiveSize)
    text("expectedSendSize", group.expectedSendSize)
    text("name", group.name)
    text("operationGroupID", group.id)
    if group.quantity != 0 { number("quantity", Int64(group.quantity)) }
    writer.end(.object)
  }

  // MARK: Items

  /// Writes the items in the order of the request, if they are few enough. Of more items it writes those that failed by
  /// themselves first, then those that failed because their batch did, then the others, and how many are left out.
  mutating func items(_ items: [RequestSubject.Item]) {
    if items.isEmpty { return }
    writer.key("items")
    writer.begin(.array)
    var count = 0
    for item in Self.first(of: items) where writer.count < Self.itemsEnd {
      self.item(item)
      count += 1
    }
    writer.end(.array)
    if count < items.count { number("itemsOmitted", Int64(items.count - count)) }
  }

  private static func first(of items: [RequestSubject.Item]) -> [RequestSubject.Item] {
    if items.count <= mostEntries { return items }
    var first: [RequestSubject.Item] = []
    for rank in 0...2 {
      for item in items where Self.rank(item) == rank {
        if first.count == mostEntries { return first }
        first.append(item)
      }
    }
    return first
  }

  private static func rank(_ item: RequestSubject.Item) -> Int {
    guard let error = item.error else { return 2 }
    return error.code == .batchRequestFailed ? 1 : 0
  }

  private mutating func item(_ item: RequestSubject.Item) {
    writer.begin(.object)
    error(item.error)
    text("recordName", item.record?.string)
    text("subscriptionID", item.subscription)
    if let zone = item.zone {
      writer.key("zoneID")
      writer.begin(.object)
      text("ownerRecordName", zone.owner)
      text("zoneName", zone.name.string)
      writer.end(.object)
    }
    writer.end(.object)
  }

  /// Writes the names of the zones of all items, each once.
  mutating func zones(_ items: [RequestSubject.Item]) {
    var zones: [ExactName] = []
    for item in items {
      guard let zone = item.zone?.name, !zones.contains(zone) else { continue }
      zones.append(zone)
      if zones.count == Self.mostEntries { break }
    }
    if zones.isEmpty { return }
    writer.key("zones")
    writer.begin(.array)
    for zone in zones where writer.count < Self.zonesEnd { writer.add(Self.cut(zone.string, to: Self.nameBytes)) }
    writer.end(.array)
  }

  // MARK: Texts

  /// The beginning of a text that takes no more bytes than `most` in JSON, and "…" if that is not the whole.
  private static func cut(_ text: String, to most: Int) -> String {
    // The longest form of a byte is \u00xx.
    if text.utf8.count <= most / 6 { return text }
    var size = 0
    for index in text.unicodeScalars.indices {
      size += bytes(text.unicodeScalars[index])
      if size > most { return text[..<index] + "…" }
    }
    return text
  }

  private static func bytes(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "\"", "\\": 2
    case ..<" ", "\u{7F}": 6
    default: UTF8.width(scalar)
    }
  }
}
