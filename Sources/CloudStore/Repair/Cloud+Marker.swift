import LocalCloudPlatform
import LocalCloudStorage

/// A damaged marker, or one that is missing from a cloud: only repair can work without it.
extension Cloud {
  /// The problem of the marker in a folder; nil if there is none, or if there is no cloud at all.
  package static func markerProblem(at path: String, in fileSystem: FileSystem = FileSystem()) throws -> Problem? {
    let root: Directory
    do { root = try Directory.open(path: path, in: fileSystem) } catch {
      guard error.isMissing else { throw error }
      return nil
    }
    return try markerProblem(in: root)
  }

  package static func markerProblem(in root: Directory) throws -> Problem? {
    func problem(_ reason: String) -> Problem { Problem(path: root.path(of: markerName), text: reason) }
    switch try root.kind(of: markerName) {
    case .directory: return problem("it is a folder")
    case .other: return problem("it is not a file")
    case .file, nil: break
    }
    let bytes = try root.contents(markerName)
    guard let bytes else {
      // A folder with one of these names may belong to another program.
      let there = try parts.filter { try root.kind(of: $0) == .directory }
      return there.contains("containers") && there.count > 1 ? problem("it is missing") : nil
    }
    guard let version = (try? JSONValue(parsing: bytes))?.object?["formatVersion"]?.integer else {
      return problem("it holds no formatVersion")
    }
    return version < 1 ? problem("formatVersion \(version) never was") : nil
  }

  /// For repair: makes a new marker and sets the old one aside. The cloud gets a new history, and `created` is the
  /// present time.
  package static func restoreMarker(
    at path: String, history: String, now: Int64, _ waitPolicy: LockWaitPolicy, in fileSystem: FileSystem = FileSystem()
  ) throws -> Problem? {
    guard try markerProblem(at: path, in: fileSystem) != nil else { return nil }
    let root = try Directory.open(path: path, in: fileSystem)
    return try RootLock(root, lockName, gate: gateName).withExclusive(waitPolicy) {
      guard var problem = try markerProblem(in: root) else { return nil }
      if try root.exists(markerName) {
        problem.text += ": it is in " + (try Quarantine(root, at: now).move(markerName, in: root)) + ", and made anew"
      } else {
        problem.text += ": made anew"
      }
      let object: JSONObject = [
        "created": .string(Timestamp.text(milliseconds: now)), "formatVersion": .integer(formatVersion),
        "history": .string(history),
      ]
      try replaceMarker(object, in: root)
      return problem
    }
  }

  static func replaceMarker(_ object: JSONObject, in root: Directory) throws {
    try root.writeStaged(".cloud.json.new", JSONValue.object(object).pretty())
    try root.file(".cloud.json.new", .readWrite).sync()
    try root.rename(".cloud.json.new", to: root, as: markerName)
    try root.sync()
  }
}
