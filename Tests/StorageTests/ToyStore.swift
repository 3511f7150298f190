import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage

/// The smallest store that uses all of a journaled folder: notes, one document each; a log with a line for each change;
/// an index by the notes' words; attachments, synced before the commit that adds them.
final class ToyStore: Sendable {
  static let mainBase = StorePath.Base("box")

  let root: Directory
  let folder: JournaledFolder
  let observer: ToyObserver

  /// Opens the store at a path. The store must exist; see `make`.
  init(_ path: String, in fileSystem: FileSystem = FileSystem(), limits: StorageLimits = ToyStore.limits) throws {
    root = try Directory.open(path: path, in: fileSystem)
    let directory = try root.directory("box")
    observer = try ToyObserver(directory)
    folder = try JournaledFolder(
      directory, journalDirectory: try directory.directory(JournaledFolder.journalFolder), in: root, as: "box",
      rootLock: RootLock(root, ".lock", gate: ".gate"), limits: limits, observer: observer)
  }

  static func make(_ path: String) throws {
    let fileSystem = FileSystem()
    try Directory.make(path: path, in: fileSystem)
    let root = try Directory.open(path: path, in: fileSystem)
    for name in [".lock", ".gate"] { _ = try root.createFile(name) }
    try root.makeDirectory(".new")
    let new = try root.directory(".new")
    for name in ["notes", "files"] { try new.makeDirectory(name) }
    try new.writeStaged("log.jsonl", [])
    try JournaledFolder.make(in: new, format: ToyObserver.format, owner: 7, sequence: 0)
    try root.rename(".new", to: root, as: "box")
    try new.file("log.jsonl").syncFileSystem()
  }

  /// Small limits, so that a few commits cause checkpoints and compactions.
  static var limits: StorageLimits {
    var limits = StorageLimits()
    limits.checkpointBytes = 3000
    limits.retainedChanges = 4
    return limits
  }

  static let waitPolicy = LockWaitPolicy(seconds: 5)

  enum Change {
    /// Sets a note's words.
    case set(String, String)
    case remove(String)
    /// Adds a file with these bytes under a name.
    case attach(String, [UInt8])
    case detach(String)
  }

  func commit(_ changes: [Change], waitPolicy: LockWaitPolicy = ToyStore.waitPolicy) throws {
    // Before the lock, so that no other caller has to wait for it.
    for case .attach(let name, let bytes) in changes {
      let uploads = try folder.journalDirectory.makingDirectory(at: ["incoming"])
      try uploads.writeStaged(name, bytes)
      try uploads.file(name, .readWrite).sync()
      try uploads.sync()
      try folder.journalDirectory.sync()
    }
    try folder.write(waitPolicy) { view in
      var sequence = try view.head()
      var entry = JournalEntry(previous: sequence, sequence: sequence, effects: [])
      var keys = IndexDelta()
      var superseded = try view.superseded()
      var lines = JSONWriter(isPretty: false)
      var documents: [String: String?] = [:]
      var order: [String] = []
      for (index, change) in changes.enumerated() {
        sequence += 1
        var line: JSONObject = ["sequence": .integer(sequence)]
        switch change {
        case .set(let name, let text):
          let before = try documents[name] ?? ToyObserver.words(view.file(ToyObserver.note(name)))
          if let before { keys.remove(ToyObserver.key(before, name)) }
          keys.insert(ToyObserver.key(text, name))
          superseded += before == nil ? 0 : 1
          if documents.updateValue(text as String?, forKey: name) == nil { order.append(name) }
          (line["about"], line["what"]) = (.string(name), "is")
        case .remove(let name):
          guard let before = try documents[name] ?? ToyObserver.words(view.file(ToyObserver.note(name))) else {
            continue
          }
          keys.remove(ToyObserver.key(before, name))
          superseded += 2
          if documents.updateValue(nil as String?, forKey: name) == nil { order.append(name) }
          (line["about"], line["what"]) = (.string(name), "was")
        case .attach(let name, _):
          entry.effects.append(.move(ToyObserver.file(name), from: name))
          (line["about"], line["what"]) = (.string("file " + name), "is")
        case .detach(let name):
          entry.effects.append(.remove(ToyObserver.file(name)))
          (line["about"], line["what"]) = (.string("file " + name), "was")
        }
        if index == changes.count - 1 { line["superseded"] = .integer(superseded) }
        lines.add(.object(line))
        lines.endLine()
      }
      for name in order {
        if let text = documents[name] ?? nil {
          entry.effects.append(.replace(ToyObserver.note(name), ToyObserver.bytes(name, text)))
        } else {
          entry.effects.append(.remove(ToyObserver.note(name)))
        }
      }
      entry.sequence = sequence
      entry.indexInsertions = keys.inserted.sorted { $0.lexicographicallyPrecedes($1) }
      entry.indexRemovals = keys.removed.sorted { $0.lexicographicallyPrecedes($1) }
      entry.effects.append(.append(ToyObserver.log, offset: try view.logEnd(), lines.bytes))
      try folder.commit(entry, in: view, waitPolicy)
    }
  }

  /// The complete contents as a reader gets them, from the files and from the index.
  func history() throws -> ToyHistory {
    try folder.read(Self.waitPolicy) { view in
      var history = ToyHistory()
      history.sequence = try view.head()
      for entry in try observer.notes.entries() where entry.name.hasSuffix(".json") {
        let name = String(entry.name.dropLast(5))
        history.notes[name] = ToyObserver.words(try observer.notes.contents(entry.name))
      }
      for entry in try observer.files.entries() { history.files[entry.name] = try observer.files.contents(entry.name) }
      try view.scan(prefix: [UInt8(ascii: "w")]) { key in
        history.keys.append(String(decoding: key.dropFirst(), as: UTF8.self))
        return true
      }
      try view.index().verify()
      var present: Set<String> = []
      var last: Int64 = 0
      try view.forEachLine(of: ToyObserver.log, after: 0) { line, _ in
        guard line.sequence > last, let about = line.value["about"]?.string else { return false }
        last = line.sequence
        if line.value["what"]?.string == "is" { present.insert(about) } else { present.remove(about) }
        return true
      }
      history.logged = present
      return history
    }
  }
}

struct ToyHistory: Hashable {
  var sequence: Int64 = 0
  var notes: [String: String] = [:]
  var files: [String: [UInt8]] = [:]
  /// `words|name`, in order.
  var keys: [String] = []
  /// The names that are present according to the log.
  var logged: Set<String> = []

  /// The contradictions between the parts of the state.
  var contradictions: [String] {
    var lines: [String] = []
    let expected = notes.map { "\($0.value.prefix(40))|\($0.key)" }.sorted {
      Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
    }
    if keys != expected { lines.append("the index has \(keys), not \(expected)") }
    let there = Set(notes.keys).union(files.keys.map { "file " + $0 })
    if logged != there { lines.append("the log tells of \(logged.sorted()), not of \(there.sorted())") }
    return lines
  }
}

struct ToyObserver: FolderObserver {
  let directory: Directory
  let notes: Directory
  let files: Directory

  init(_ directory: Directory) throws {
    self.directory = directory
    notes = try directory.directory("notes")
    files = try directory.directory("files")
  }

  static func note(_ name: String) -> StorePath { StorePath(ToyStore.mainBase, ["notes", name + ".json"]) }
  static func file(_ name: String) -> StorePath { StorePath(ToyStore.mainBase, ["files", name]) }
  static let log = StorePath(ToyStore.mainBase, ["log.jsonl"])
  /// An index refuses long keys.
  static func key(_ words: String, _ name: String) -> [UInt8] { Array("w\(words.prefix(40))|\(name)".utf8) }
  static func bytes(_ name: String, _ words: String) -> [UInt8] {
    JSONValue.object(["name": .string(name), "words": .string(words)]).pretty()
  }
  static func words(_ bytes: [UInt8]?) -> String? {
    bytes.flatMap { try? JSONValue(parsing: $0) }?["words"]?.string
  }

  static let format = JournalFormat(
    bases: [ToyStore.mainBase], moveKey: "keep", sourceKey: "source", removeFolderKey: "throwAway"
  ) { $0.extra.isEmpty }

  var format: JournalFormat { Self.format }
  var mainLog: StorePath { Self.log }
  var logSchema: LogSchema { LogSchema(subject: "about", outcome: "what", outcomes: ["is": .present, "was": .gone]) }
  func base() throws -> Int64 { 0 }
  func indexOwner() throws -> UInt64 { 7 }
  func nameOfRemoved() throws -> String { ".gone" }
  func missing() -> any Error { ToyMissing() }

  func location(of path: StorePath) throws -> (Directory, String) {
    (try directory.makingDirectory(at: path.components.dropLast()), path.name)
  }
  func contents(_ path: StorePath) throws -> [UInt8]? { try directory.contents(at: path.components) }
  func log(_ path: StorePath) throws -> LogFile? { try LogFile.open(path.name, in: directory) }
  func otherLogs() throws -> [StorePath] { [] }

  func put(_ path: StorePath, from source: String, isReplay: Bool) throws {
    guard let incoming = try directory.directory(at: [".journal", "incoming"]), try incoming.exists(source) else {
      return
    }
    try incoming.rename(source, to: files, as: path.name)
  }

  func isJoinable(_ entry: JournalEntry) -> Bool { true }
  func merged(_ extras: [JSONObject]) -> JSONObject { JSONObject() }
  func tidy(_ journal: Journal) {}
  func willCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws {}
  func didCommit(_ entry: JournalEntry, _ reason: CommitReason, _ waitPolicy: LockWaitPolicy) throws {}

  func indexKeys(_ view: FolderView) throws -> [[UInt8]] {
    try notes.entries().compactMap { entry in
      let name = String(entry.name.dropLast(5))
      return Self.words(try notes.contents(entry.name)).map { Self.key($0, name) }
    }
  }
  func keysForgotten(through horizon: Int64, in index: IndexFile) throws -> [[UInt8]] { [] }
}

struct ToyMissing: Error {}
