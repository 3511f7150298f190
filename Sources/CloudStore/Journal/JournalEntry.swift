import Storage

/// One commit of a zone: everything it does to the tree, complete, so that doing it again gives the same bytes.
struct JournalEntry: Sendable {
  enum Effect: Sendable, Equatable {
    case replace(FilePath, [UInt8])
    case remove(FilePath)
    /// The log is cut at `offset` first: a line that was half written before a crash is written anew in its place.
    case append(FilePath, offset: Int, [UInt8])
    case compact(Compaction)
    /// An upload becomes an asset. The journal holds none of its bytes: they were synced before, under the upload's name.
    case adopt(AssetName, upload: String)
    /// The zone's folder goes; always the last effect of the zone's last commit.
    case removeZone
  }

  /// A log's first `from` bytes become their compaction, of `size` bytes with this digest; `tail` bytes behind them stay.
  /// The journal holds none of them: a checkpoint made the old log durable before, and the new one was synced before it
  /// took the old one's place.
  struct Compaction: Sendable, Equatable {
    var path: FilePath
    var horizon: Int64
    var superseded: Int64
    var from: Int
    var size: Int
    var digest: String
    var tail = 0
  }

  /// A line that the commit made in a database's log, to be repeated where a power cut may have taken it.
  struct Mention: Sendable, Equatable {
    var database: DatabasePath
    var zone: ExactName
    var owner: ExactName?
    var fields: JSONObject = [:]
  }

  /// The zone's sequence before this commit, and after it.
  var previous: Int64
  var sequence: Int64
  var effects: [Effect]
  /// So many bytes of frames right before this one need not have been durable when it was written.
  var joined = 0
  var indexInsertions: [[UInt8]] = []
  var indexRemovals: [[UInt8]] = []
  var mentions: [Mention] = []
  var pushes: [Push] = []
  /// Subscriptions that end with what they were about.
  var withdrawals: [SubscriptionReference] = []

  // MARK: Payload: u32 length of the description, the description (JSON), then the blobs one after another.

  func payload() -> [UInt8] {
    let text = description
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

  private var description: [UInt8] {
    var writer = JSONWriter(isPretty: false)
    func add(_ key: StaticString, _ values: [JSONValue]) {
      guard !values.isEmpty else { return }
      writer.key(key)
      writer.add(.array(values))
    }
    func add(_ key: StaticString, sizesOf keys: [[UInt8]]) {
      guard !keys.isEmpty else { return }
      writer.key(key)
      writer.begin(.array)
      for key in keys { writer.add(Int64(key.count)) }
      writer.end(.array)
    }
    writer.begin(.object)
    writer.key("effects")
    writer.begin(.array)
    for effect in effects { effect.encode(into: &writer) }
    writer.end(.array)
    add("insert", sizesOf: indexInsertions)
    writer.member("joined", joined > 0 ? Int64(joined) : nil)
    add("mentions", mentions.map(\.value))
    writer.member("previous", previous)
    add("pushes", pushes.map(\.value))
    add("remove", sizesOf: indexRemovals)
    add("withdrawals", withdrawals.map(\.value))
    writer.end(.object)
    return writer.bytes
  }

  init(previous: Int64, sequence: Int64, effects: [Effect]) {
    self.previous = previous
    self.sequence = sequence
    self.effects = effects
  }

  init?(sequence: Int64, payload: ArraySlice<UInt8>) {
    guard payload.count >= 4 else { return nil }
    let length = payload.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    guard 4 + length <= payload.count, let value = try? JSONValue(parsing: payload.dropFirst(4).prefix(length)),
      let list = value["effects"]?.array, let previous = value["previous"]?.integer
    else { return nil }
    var blobs = BlobReader(rest: payload.dropFirst(4 + length))
    var effects: [Effect] = []
    for item in list {
      if let text = item["replace"]?.string, let path = FilePath(text: text),
        let bytes = blobs.next(item["length"]?.integer)
      {
        effects.append(.replace(path, bytes))
      } else if let text = item["remove"]?.string, let path = FilePath(text: text) {
        effects.append(.remove(path))
      } else if let text = item["append"]?.string, let path = FilePath(text: text),
        let offset = item["offset"]?.integer, offset >= 0, let bytes = blobs.next(item["length"]?.integer)
      {
        effects.append(.append(path, offset: Int(offset), bytes))
      } else if let compaction = Compaction(item) {
        effects.append(.compact(compaction))
      } else if let asset = item["adopt"]?.string.flatMap(FilePath.init(text:))?.asset,
        let upload = item["upload"]?.string, ZoneStore.isUpload(upload)
      {
        effects.append(.adopt(asset, upload: upload))
      } else if item["removeZone"]?.bool == true {
        effects.append(.removeZone)
      } else {
        return nil
      }
    }
    self.init(previous: previous, sequence: sequence, effects: effects)
    joined = Int(clamping: max(0, value["joined"]?.integer ?? 0))
    for item in value["mentions"]?.array ?? [] {
      guard let mention = Mention(item) else { return nil }
      mentions.append(mention)
    }
    for item in value["pushes"]?.array ?? [] {
      guard let push = Push(item) else { return nil }
      pushes.append(push)
    }
    for item in value["withdrawals"]?.array ?? [] {
      guard let withdrawal = SubscriptionReference(item) else { return nil }
      withdrawals.append(withdrawal)
    }
    for (key, place) in [("insert", \JournalEntry.indexInsertions), ("remove", \JournalEntry.indexRemovals)] {
      for count in value[key]?.array ?? [] {
        guard let bytes = blobs.next(count.integer) else { return nil }
        self[keyPath: place].append(bytes)
      }
    }
    guard blobs.rest.isEmpty else { return nil }
  }
}

/// Cuts a payload's blobs out, one after another.
private struct BlobReader {
  var rest: ArraySlice<UInt8>

  mutating func next(_ count: Int64?) -> [UInt8]? {
    guard let count, count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }
}
