/// Limits the size of a report: a page stays below 2 MB, whatever the size of the cloud.
struct ReportBudget {
  static let mostPeople = 150
  static let mostDevices = 400
  static let mostShares = 100
  static let mostParticipants = 20
  static let mostZones = 400
  static let mostRequests = 60
  static let mostWaiting = 200
  static let mostProblems = 50
  /// The largest number of fields of a record, of elements of a list, and of characters of a text.
  static let mostFields = 60
  static let mostElements = 20
  static let mostCharacters = 300
  /// The largest number of characters of a title, a person's name or a part of a request.
  static let mostOfTitle = 100
  /// The largest size in bytes of an image.
  static let imageSize = 96 << 10

  /// The bytes of the page that are left for records, and those of images.
  private var records = 800_000
  private var images = 300_000

  /// Whether a record of this size fits. If so, it takes the space.
  mutating func take(record: Report.Record) -> Bool {
    let fields = record.fields.reduce(0) { $0 + 60 + Self.size($1.name) + Self.size($1.value) }
    let names = Self.size(record.name) + Self.size(record.type) + Self.size(record.parent?.name ?? "")
    let size = 500 + names + fields
    guard size <= records else { return false }
    records -= size
    return true
  }

  /// Whether no record fits any more.
  var isFull: Bool { records < 500 }

  /// Takes the space of a zone without its records.
  mutating func take(zone: Report.Zone) { records -= min(records, 500 + 2 * Self.size(zone.name)) }

  /// Whether an image fits. If so, it takes the space.
  ///
  /// - Parameter size: the number of bytes in the page.
  mutating func take(image size: Int) -> Bool {
    guard size <= images else { return false }
    images -= size
    return true
  }

  /// The beginning of a text, with a mark if the text is longer.
  ///
  /// - Parameter count: the number of Unicode scalars, as a character may have any number of them.
  static func beginning(_ text: String, _ count: Int = mostOfTitle) -> String {
    start(text, count).map { $0 + "…" } ?? text
  }

  /// The first Unicode scalars of a text; nil if the text has no more.
  static func start(_ text: String, _ count: Int) -> String? {
    let start = text.unicodeScalars.prefix(count)
    return start.endIndex == text.unicodeScalars.endIndex ? nil : String(start)
  }

  private static func size(_ value: Report.Value) -> Int {
    switch value {
    case .text(let text), .cut(let text, _), .asset(let text): size(text)
    case .closed, .image: 60
    case .reference(let reference): 60 + size(reference.name)
    case .list(let elements, _): elements.reduce(0) { $0 + 10 + size($1) }
    }
  }

  /// The size of a text in the page: characters of markup take several bytes.
  private static func size(_ text: String) -> Int { ("\(text)" as HTML).text.utf8.count }
}
