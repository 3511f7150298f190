import Storage

/// What a line of a zone's or a share's log says became of which record, and nothing else of it.
struct LoggedFate {
  enum Kind: String {
    case save
    case touch
    case delete
    case inside = "in"
    case outside = "out"

    var isRemoval: Bool { self == .delete || self == .outside }
  }

  let sequence: Int64
  let record: ExactName
  let kind: Kind

  /// Nil for a compacted log's first line.
  init?(in text: [UInt8], _ place: Range<Int>, of log: LogFile) throws {
    if place.lowerBound > 0, let plain = Self.plain(text, place) {
      self = plain
      return
    }
    let line = try log.parse(text[place], at: place.lowerBound)
    if line.offset == 0, LogHeader(line.value) != nil { return nil }
    guard let name = line.value["recordName"]?.string, let kind = line.value["kind"]?.string.flatMap(Kind.init) else {
      throw StorageError.damaged(path: log.file.path, reason: "the line at byte \(line.offset) is not a change")
    }
    self.init(sequence: line.sequence, record: ExactName(name), kind: kind)
  }

  private init(sequence: Int64, record: ExactName, kind: Kind) {
    self.sequence = sequence
    self.record = record
    self.kind = kind
  }

  private static func isText(_ bytes: PlainObject.Bytes, _ text: StaticString) -> Bool {
    byteOrder(bytes, PlainObject.Bytes(start: text.utf8Start, count: text.utf8CodeUnitCount)) == 0
  }

  private static func plain(_ text: [UInt8], _ place: Range<Int>) -> LoggedFate? {
    text.withUnsafeBufferPointer { text in
      var (sequence, record, kind): (Int64?, ExactName?, Kind?)
      let isPlain = PlainObject.forEachMember(of: PlainObject.Bytes(rebasing: text[place])) { key, value in
        switch value {
        case .number(let digits) where isText(key, "sequence"):
          sequence = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        case .text(let name) where isText(key, "recordName"):
          record = ExactName(String(decoding: name, as: UTF8.self))
        case .text(let name) where isText(key, "kind"):
          kind = Kind(rawValue: String(decoding: name, as: UTF8.self))
        default: break
        }
      }
      guard isPlain, let sequence, let record, let kind else { return nil }
      return LoggedFate(sequence: sequence, record: record, kind: kind)
    }
  }
}
