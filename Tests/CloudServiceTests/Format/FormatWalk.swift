import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Reads a whole tree and compares every file with the specification.
struct FormatWalk {
  private let specification: FormatSpecification
  private(set) var problems: [String] = []
  private(set) var indexKinds: Set<String> = []
  private var seenKeys: Set<String> = []
  private var seenFiles: Set<String> = []
  private var seenContents: Set<String> = []

  init(_ specification: FormatSpecification) { self.specification = specification }

  /// The listed files and keys that did not occur.
  var unseen: [String] {
    specification.files.map(\.text).filter { !seenFiles.contains($0) }
      + seenContents.sorted().flatMap { contents in
        (specification.keys(contents) ?? []).map { "\(contents): \($0.text)" }
      }.filter { !seenKeys.contains($0) }
  }

  /// Checks the content of the zone's lock file during a write.
  mutating func note(of person: Person) throws {
    let service = person.service
    let address = ZonePath(
      database: DatabasePath(
        container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"]),
      zone: person.zone.name)
    let bytes = try service.cloud.zone(address)?.write(LockWaitPolicy(account: "alice")) { transaction in
      try transaction.zone.directory.contents("lock")
    }
    check(bytes ?? [], "A lock's note", "lock")
  }

  mutating func run(_ root: String, isAtRest: Bool = true) throws {
    try walk(try Directory.open(path: root, in: FileSystem()), "", isAtRest)
  }

  private mutating func walk(_ folder: Directory, _ prefix: String, _ isAtRest: Bool) throws {
    for entry in try folder.entries() {
      let path = prefix + entry.name
      if entry.kind == .directory {
        try walk(try folder.directory(entry.name), path + "/", isAtRest)
      } else if let file = specification.file(at: path) {
        seenFiles.insert(file.text)
        let bytes = try folder.contents(entry.name) ?? []
        if !isAtRest, file.format == "note", !Self.isBlank(bytes) {
          check(bytes, file.contents, path)
        } else {
          try check(file, bytes, path, in: folder)
        }
      } else if isAtRest || specification.otherFile(at: path) == nil {
        problems.append("\(path) is not listed")
      }
    }
  }

  private mutating func check(
    _ file: FormatSpecification.File, _ bytes: [UInt8], _ path: String, in folder: Directory
  ) throws {
    switch file.format {
    case "JSON":
      check(bytes, file.contents, path)
      if (try? JSONValue(parsing: bytes))?.pretty() != bytes { problems.append("\(path) is not canonical") }
    case "JSON lines":
      checkLines(bytes, file.contents, path)
    case "bytes":
      if !(folder.path + "/" + path).contains("/\(Digest.hex128(bytes))-\(bytes.count)") {
        problems.append("\(path) is not named after its bytes")
      }
    case "copy":
      let copied = path.split(separator: "/").dropFirst(2).joined(separator: "/")
      let isListed = specification.file(at: copied) != nil || specification.otherFile(at: copied) != nil
      if !isListed { problems.append("\(path) is a copy of no file") }
    case "empty":
      if !bytes.isEmpty { problems.append("\(path) is not empty") }
    case "note":
      if !Self.isBlank(bytes) { problems.append("\(path) is not blank") }
    case "text" where file.contents == "A schema":
      let text = String(decoding: bytes, as: UTF8.self)
      if try Schema(text: text).text != text { problems.append("\(path) is not as exports are") }
    case "text" where file.contents == "The mark of the origin":
      if try !Cloud.describesMarker(path, in: folder) { problems.append("\(path) speaks of another file") }
    case "text":
      if bytes != Array(HostProcess.bootIdentifier.utf8) { problems.append("\(path) holds something else") }
    case "binary" where file.contents == "The header":
      checkJournal(bytes, path)
    case "binary":
      let zone = try Directory.open(path: String(folder.path.dropLast("/.index".count)), in: FileSystem())
      try zone.zoneIndex()?.scan(prefix: []) { key in
        indexKinds.insert("`" + String(decoding: key.prefix(1), as: UTF8.self) + "`")
        return true
      }
    default:
      problems.append("\(path) has the unknown format \(file.format)")
    }
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 == UInt8(ascii: "\n") } }

  private mutating func check(_ bytes: [UInt8], _ contents: String, _ path: String) {
    seenContents.insert(contents)
    guard let value = try? JSONValue(parsing: bytes) else {
      problems.append("\(path) is not JSON")
      return
    }
    problems += specification.problems(value, contents, seen: &seenKeys).map { "\(path): \($0)" }
  }

  private mutating func checkLines(_ bytes: [UInt8], _ contents: String, _ path: String) {
    if let last = bytes.last, last != 0x0A { problems.append("\(path) ends within a line") }
    for (index, line) in bytes.split(separator: 0x0A).enumerated() {
      let value = try? JSONValue(parsing: Array(line))
      let isHeader = index == 0 && value?["horizon"] != nil
      check(Array(line), isHeader ? "A compacted log's first line" : contents, "\(path):\(index + 1)")
      if value?.compact() != Array(line) { problems.append("\(path):\(index + 1) is not canonical") }
    }
  }

  // MARK: The journal, by its tables

  private mutating func checkJournal(_ bytes: [UInt8], _ path: String) {
    func field(_ name: String, _ heading: String, _ part: ArraySlice<UInt8>, _ sizes: [String: Int] = [:]) -> [UInt8] {
      specification.field(name, of: heading, in: part, sizes).map(Array.init) ?? []
    }
    func number(_ bytes: [UInt8]) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    let boot = Array(HostProcess.bootIdentifier.utf8)
    let digest = [UInt64(1), 2].flatMap { seed in
      withUnsafeBytes(of: Digest.hash64(boot, seed: seed).littleEndian, Array.init)
    }
    let applied = number(field("applied offset", "The header", bytes[...]))
    let isHeader =
      field("magic", "The header", bytes[...]) == specification.constant("magic", of: "The header")
      && (48...UInt64(max(48, bytes.count))).contains(applied)
      && field("boot digest", "The header", bytes[...]) == digest
      && number(field("checksum", "The header", bytes[...])) == Digest.hash64(Array(bytes.prefix(40)))
    if !isHeader { problems.append("\(path) has another header") }

    let generation = field("generation", "The header", bytes[...])
    var rest = bytes.dropFirst(48)
    while field("magic", "A frame", rest) == specification.constant("magic", of: "A frame"),
      field("generation", "A frame", rest) == generation
    {
      let length = Int(number(field("payload length", "A frame", rest)))
      let payload = field("payload", "A frame", rest, ["payload length": length])
      let seed = Digest.hash64(generation, seed: number(field("sequence", "A frame", rest)))
      guard payload.count == length, number(field("checksum", "A frame", rest)) == Digest.hash64(payload, seed: seed)
      else {
        problems.append("\(path) has another frame at byte \(rest.startIndex)")
        return
      }
      checkPayload(payload, "\(path) at byte \(rest.startIndex)")
      rest = rest.dropFirst(32 + length)
    }
    if rest.startIndex < Int(applied) { problems.append("\(path) ends before what was applied") }
  }

  private mutating func checkPayload(_ payload: [UInt8], _ path: String) {
    let length = specification.field("description length", of: "The payload", in: payload[...])?
      .reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let length,
      let text = specification.field(
        "description", of: "The payload", in: payload[...], ["description length": length])
    else {
      problems.append("\(path) has another payload")
      return
    }
    check(Array(text), "A commit's description", path)
    guard let value = try? JSONValue(parsing: Array(text)) else { return }
    let blobs =
      (value["effects"]?.array ?? []).compactMap { $0["length"]?.int }
      + ["insert", "remove"].flatMap { (value[$0]?.array ?? []).compactMap(\.int) }
    if 4 + length + blobs.reduce(0, +) != payload.count { problems.append("\(path) has blobs of another length") }
  }
}
