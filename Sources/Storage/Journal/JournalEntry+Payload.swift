/// Encoding of an entry as a frame's payload: u32 length of the description, the description (JSON), then the blobs one
/// after another.
extension JournalEntry {
  package func payload(_ format: JournalFormat) -> [UInt8] {
    let text = description(format)
    var blobs = effects.compactMap(\.blob)
    blobs += indexInsertions
    blobs += indexRemovals
    var result: [UInt8] = []
    result.reserveCapacity(4 + text.count + blobs.reduce(0) { $0 + $1.count })
    result.append(littleEndian: UInt32(text.count))
    result += text
    for blob in blobs { result += blob }
    return result
  }

  /// The description. Its keys are in order, the observer's among them.
  private func description(_ format: JournalFormat) -> [UInt8] {
    var writer = JSONWriter(isPretty: false)
    var others = extra.members[...]
    func key(_ key: String) {
      while let other = others.first, other.key.exactOrder(to: key) < 0 {
        writer.key(other.key)
        writer.add(other.value)
        others.removeFirst()
      }
      writer.key(key)
    }
    func add(_ name: String, sizesOf keys: [[UInt8]]) {
      guard !keys.isEmpty else { return }
      key(name)
      writer.begin(.array)
      for key in keys { writer.add(Int64(key.count)) }
      writer.end(.array)
    }
    writer.begin(.object)
    key("effects")
    writer.begin(.array)
    for effect in effects { effect.encode(into: &writer, format) }
    writer.end(.array)
    add("insert", sizesOf: indexInsertions)
    if joined > 0 {
      key("joined")
      writer.add(Int64(joined))
    }
    key("previous")
    writer.add(previous)
    add("remove", sizesOf: indexRemovals)
    for other in others {
      writer.key(other.key)
      writer.add(other.value)
    }
    writer.end(.object)
    return writer.bytes
  }

  private static let ownKeys: Set<String> = ["effects", "insert", "joined", "previous", "remove"]

  /// Nil if the payload is not an entry, or if the observer doesn't understand it.
  package init?(sequence: Int64, payload: ArraySlice<UInt8>, _ format: JournalFormat) {
    guard payload.count >= 4 else { return nil }
    let length = payload.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    guard 4 + length <= payload.count, let value = try? JSONValue(parsing: payload.dropFirst(4).prefix(length)),
      let object = value.object, let list = value["effects"]?.array, let previous = value["previous"]?.integer
    else { return nil }
    var blobs = BlobReader(rest: payload.dropFirst(4 + length))
    var effects: [Effect] = []
    for item in list {
      guard let effect = Effect(item, &blobs, format) else { return nil }
      effects.append(effect)
    }
    self.init(previous: previous, sequence: sequence, effects: effects)
    joined = Int(clamping: max(0, value["joined"]?.integer ?? 0))
    for (key, lines) in [("insert", \JournalEntry.indexInsertions), ("remove", \JournalEntry.indexRemovals)] {
      for count in value[key]?.array ?? [] {
        guard let bytes = blobs.next(count.integer) else { return nil }
        self[keyPath: lines].append(bytes)
      }
    }
    guard blobs.rest.isEmpty else { return nil }
    extra = JSONObject(ordered: object.members.filter { !Self.ownKeys.contains($0.key) })
    guard format.understands(self) else { return nil }
  }
}

/// Reads a payload's blobs one after another.
struct BlobReader {
  var rest: ArraySlice<UInt8>

  mutating func next(_ count: Int64?) -> [UInt8]? {
    guard let count, count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }
}

extension JournalEntry.Effect {
  /// The effect's bytes that follow the description.
  fileprivate var blob: [UInt8]? {
    switch self {
    case .replace(_, let bytes), .append(_, _, let bytes): bytes
    case .remove, .compact, .move, .removeFolder: nil
    }
  }

  fileprivate init?(_ item: JSONValue, _ blobs: inout BlobReader, _ format: JournalFormat) {
    func path(_ key: String) -> StorePath? {
      item[key]?.string.flatMap { StorePath(text: $0, bases: format.bases) }
    }
    if let path = path("replace"), let bytes = blobs.next(item["length"]?.integer) {
      self = .replace(path, bytes)
    } else if let path = path("remove") {
      self = .remove(path)
    } else if let path = path("append"), let offset = item["offset"]?.integer, offset >= 0,
      let bytes = blobs.next(item["length"]?.integer)
    {
      self = .append(path, offset: Int(offset), bytes)
    } else if let path = path("compact"), let compaction = JournalEntry.Compaction(item, of: path) {
      self = .compact(compaction)
    } else if let path = path(format.moveKey), let source = item[format.sourceKey]?.string {
      self = .move(path, from: source)
    } else if item[format.removeFolderKey]?.bool == true {
      self = .removeFolder
    } else {
      return nil
    }
  }

  fileprivate func encode(into writer: inout JSONWriter, _ format: JournalFormat) {
    writer.begin(.object)
    switch self {
    case .replace(let path, let bytes):
      writer.member("length", Int64(bytes.count))
      writer.member("replace", path.text)
    case .remove(let path):
      writer.member("remove", path.text)
    case .append(let path, let offset, let bytes):
      writer.member("append", path.text)
      writer.member("length", Int64(bytes.count))
      writer.member("offset", Int64(offset))
    case .move(let path, let source):
      writer.key(format.moveKey)
      writer.add(path.text)
      writer.key(format.sourceKey)
      writer.add(source)
    case .removeFolder:
      writer.key(format.removeFolderKey)
      writer.add(.bool(true))
    case .compact(let compaction):
      compaction.encodeMembers(into: &writer)
    }
    writer.end(.object)
  }
}

extension JournalEntry.Compaction {
  init?(_ item: JSONValue, of path: StorePath) {
    guard let horizon = item["horizon"]?.integer, LogFile.sequences.contains(horizon),
      let superseded = item["superseded"]?.integer, LogFile.sequences.contains(superseded),
      let from = item["from"]?.integer, from >= 0, let size = item["size"]?.integer, size >= 0,
      let tail = item["tail"]?.integer, tail >= 0, let digest = item["digest"]?.string
    else { return nil }
    self.init(
      path: path, horizon: horizon, superseded: superseded, from: Int(from), size: Int(size), digest: digest,
      tail: Int(tail))
  }

  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    writer.member("compact", path.text)
    writer.member("digest", digest)
    writer.member("from", Int64(from))
    writer.member("horizon", horizon)
    writer.member("size", Int64(size))
    writer.member("superseded", superseded)
    writer.member("tail", Int64(tail))
  }
}
