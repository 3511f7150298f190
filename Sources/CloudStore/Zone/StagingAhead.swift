import Platform

/// Record files of a large commit in the making, written beside its planning.
///
/// Its maker's thread uses it, and ends it with ``finish()`` or ``discard()`` before the zone's lock is let go.
final class StagingAhead {
  /// A record as its file will hold it.
  struct Content {
    var bytes: [UInt8]
    var digest: String
  }

  private struct Job {
    var place: Int
    var bytes: [UInt8]
    var isNew: Bool
  }

  private struct State {
    /// New records' files, by effect. Those of others are staged under the effect's number.
    var files: [Int: UnnamedFile] = [:]
    var failure: (any Error)?
  }

  /// A hand-over costs as much as a record.
  private static let chunk = 16

  private let folder: Directory
  private let line = JobLine()
  private let state = Condition(State())
  private var waiting: [Job] = []
  /// By the number of the effect that will put the file in place.
  private(set) var contents: [Int: Content] = [:]

  init(in folder: Directory) {
    self.folder = folder
  }

  /// A record's version, and the effect that will put it in place; the last one for an effect counts.
  func put(_ record: StoredRecord, place: Int, isNew: Bool) {
    let bytes = record.bytes
    contents[place] = Content(bytes: bytes, digest: Digest.hex64(bytes))
    waiting.append(Job(place: place, bytes: bytes, isNew: isNew))
    if waiting.count == Self.chunk { handOver() }
  }

  private func handOver() {
    guard !waiting.isEmpty else { return }
    line.add { [folder, state, waiting] in
      if state.change({ $0.failure != nil }) { return }
      do {
        var files: [(Int, UnnamedFile?)] = []
        for job in waiting {
          let file = job.isNew ? try folder.unnamedFile(job.bytes) : nil
          if file == nil { try folder.writeStaged(String(job.place), job.bytes) }
          files.append((job.place, file))
        }
        state.change { state in for (place, file) in files { state.files[place] = file } }
      } catch {
        state.change { $0.failure = error }
      }
    }
    waiting = []
  }

  /// There are only so many effects after all; what was put for later ones is none of theirs.
  func drop(from end: Int) throws {
    let places = contents.keys.filter { $0 >= end }
    if places.isEmpty { return }
    try finish()
    for place in places { try forget(place) }
  }

  private func forget(_ place: Int) throws {
    contents[place] = nil
    if state.change({ $0.files.removeValue(forKey: place) }) == nil { _ = try folder.remove(String(place)) }
  }

  /// Returns once every file is written.
  func finish() throws {
    handOver()
    try line.finish()
    if let failure = state.change({ $0.failure }) { throw failure }
  }

  /// Files that only wait for their names, by effect. Whoever takes them puts them in place.
  func takeFiles() -> [Int: UnnamedFile] {
    state.change { state in
      defer { state.files = [:] }
      return state.files
    }
  }

  /// Nothing comes of it.
  func discard() {
    waiting = []
    try? line.finish()
    for place in Array(contents.keys) { try? forget(place) }
  }
}
