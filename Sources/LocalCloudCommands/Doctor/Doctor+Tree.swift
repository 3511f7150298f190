import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Looks at the name, owner, permissions and age of each entry of the tree, and reads no record.
extension Doctor {
  mutating func examineTree(_ folder: Directory) {
    var walk = TreeWalk(machine: machine)
    walk.owner = (try? folder.ownership(of: "."))?.owner
    walk.visit(folder, [])
    if let owner = walk.owner, owner != machine.user, machine.user != 0 {
      add(
        "owner", .warning, "\(root) belongs to another user (\(owner))", "use it as that user, or change its owner")
    } else {
      add(
        "owner", .warning, walk.foreign, "belongs to another user than the cloud's folder",
        "change the owner with \"chown -R\"; run no command with sudo", else: "all entries belong to one user")
    }
    add(
      "permissions", .problem, walk.closed, "can't be read and written",
      "change the permissions with \"chmod -R u+rwX\"", else: "all entries can be read and written")
    add(
      "leftovers", .warning, walk.leftovers, "is left of interrupted work",
      "nothing has to be done: later changes remove it; remove files \(FileSystemProbe.prefix)… by hand",
      else: "no interrupted work")
    add(
      "processes", .warning, walk.dead, "names a process that has ended",
      "nothing has to be done: it blocks no process", else: "no lock or lease of an ended process")
    let ahead = walk.newest - machine.clock()
    if ahead > 60_000 {
      add(
        "time", .warning,
        "the newest change is \(ClockText.text(UInt64(ahead))) after the machine's time, at "
          + Timestamp.text(milliseconds: walk.newest),
        "set the machine's clock")
    } else {
      add("time", .ok, "no change is after the machine's time")
    }
  }

  /// Adds a diagnosis of these paths, with the first one and the number of the others; or, without paths, that all is
  /// well.
  private mutating func add(
    _ check: String, _ state: Diagnosis.State, _ paths: [String], _ finding: String, _ advice: String,
    else fine: String
  ) {
    guard let first = paths.first else { return add(check, .ok, fine) }
    add(check, state, "\(first) \(finding)" + (paths.count > 1 ? ", and \(paths.count - 1) more" : ""), advice)
  }
}

private struct TreeWalk {
  let machine: ExaminedMachine
  /// The owner of the cloud's folder.
  var owner: UInt32?
  /// The entries that belong to another user than the cloud's folder.
  var foreign: [String] = []
  /// The entries that this process can't use.
  var closed: [String] = []
  /// The entries that a killed process left behind.
  var leftovers: [String] = []
  /// The locks' notes and leases that name processes that have ended.
  var dead: [String] = []
  /// The time of the last write, in milliseconds since 1970.
  var newest: Int64 = 0

  mutating func visit(_ folder: Directory, _ path: [String]) {
    let entries: Directory.Entries
    do { entries = try folder.entries() } catch { return closed.append(folder.path) }
    for entry in entries where entry.kind != .other {
      let location = folder.path(of: entry.name)
      do {
        guard let status = try folder.ownership(of: entry.name) else { continue }
        newest = max(newest, status.modified)
        if let owner, status.owner != owner { foreign.append(location) }
        if !isOpen(status, entry.kind) {
          closed.append(location)
          continue
        }
        // A process that runs may be writing such a file now.
        let isOld = machine.clock() - status.modified > 60_000
        if isOld, isLeftover(entry, path) { leftovers.append(location) }
        if entry.kind == .file {
          try note(entry.name, in: folder, path)
        } else if ![".index", ".journal"].contains(entry.name) {
          visit(try folder.directory(entry.name), path + [entry.name])
        }
      } catch {
        if !error.isMissing { closed.append(location) }
      }
    }
  }

  private func isOpen(_ status: Directory.Ownership, _ kind: Directory.Kind) -> Bool {
    if machine.user == 0 || status.owner != machine.user { return true }
    let wanted: UInt32 = kind == .directory ? 0o700 : 0o600
    return status.permissions & wanted == wanted
  }

  /// Whether the name is one of an entry that is on its way. The list of them is in the article on files.
  private func isLeftover(_ entry: Directory.Entry, _ path: [String]) -> Bool {
    let name = entry.name
    guard name.hasPrefix(".") else { return false }
    if name.hasSuffix(".new") || name.hasPrefix(FileSystemProbe.prefix) || name.hasPrefix(".fired-") { return true }
    guard entry.kind == .directory else { return path.isEmpty && name == ".arrival" }
    if path.isEmpty { return name == ".restored" || name.hasPrefix(".replaced-") }
    if path == ["snapshots"] { return true }
    return path.last == "zones" && (name.hasPrefix(".new-") || name.hasPrefix(".deleted-"))
  }

  /// Notes the file if it is the lease or the lock's note of a process that has ended.
  private mutating func note(_ name: String, in folder: Directory, _ path: [String]) throws(SystemError) {
    if path == ["snapshots"], name.hasSuffix("-lease") {
      let file = try folder.file(name)
      if try file.tryLock(.exclusive) {
        file.unlock()
        dead.append(folder.path(of: name))
      }
    } else if name == "lock", path.count > 1, path[path.count - 2] == "zones", let bytes = try folder.contents(name),
      let process = (try? JSONValue(parsing: bytes))?["process"]?.integer,
      !machine.hasProcess(Int32(truncatingIfNeeded: process))
    {
      dead.append(folder.path(of: name))
    }
  }
}
