import Platform

/// Record files of a large commit in the making, made and written beside its planning.
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
    var record: StoredRecord
    var isNew: Bool
  }

  private struct State {
    /// By the number of the effect that will put the file in place.
    var contents: [Int: Content] = [:]
    /// New records' files. Those of others are staged under the effect's number.
    var files: [Int: UnnamedFile] = [:]
    var failure: (any Error)?
  }

  /// A hand-over costs as much as a record.
  private static let chunk = 16

  private let folder: Directory
  private let line = JobLine()
  private let state = Condition(State())
  private var waiting: [Job] = []
  /// The effects that something was put for.
  private(set) var places: Set<Int> = []

  init(in folder: Directory) {
    self.folder = folder
  }

  /// A record's version, and the effect that will put it in place; the last one for an effect counts.
  func put(_ record: StoredRecord, place: Int, isNew: Bool) {
    places.insert(place)
    waiting.append(Job(place: place, record: record, isNew: isNew))
    if waiting.count == Self.chunk { handOver() }
  }

  private func handOver() {
    guard !waiting.isEmpty else { return }
    line.add { [folder, state, waiting] in
      if state.change({ $0.failure != nil }) { return }
      do {
        var made: [(place: Int, content: Content, file: UnnamedFile?)] = []
        for job in waiting {
          let bytes = job.record.bytes
          let file = job.isNew ? try folder.unnamedFile(bytes) : nil
          if file == nil { try folder.writeStaged(String(job.place), bytes) }
          made.append((job.place, Content(bytes: bytes, digest: Digest.hex64(bytes)), file))
        }
        state.change { state in
          for (place, content, file) in made { (state.contents[place], state.files[place]) = (content, file) }
        }
      } catch {
        state.change { $0.failure = error }
      }
    }
    waiting = []
  }

  /// There are only so many effects after all; what was put for later ones is none of theirs.
  func drop(from end: Int) throws {
    let late = places.filter { $0 >= end }
    if late.isEmpty { return }
    _ = try finish()
    for place in late { try forget(place) }
  }

  private func forget(_ place: Int) throws {
    places.remove(place)
    let file = state.change { state in
      state.contents[place] = nil
      return state.files.removeValue(forKey: place)
    }
    if file == nil { _ = try folder.remove(String(place)) }
  }

  /// Returns once every file is written: what each will hold, by effect.
  func finish() throws -> [Int: Content] {
    handOver()
    try line.finish()
    return try state.change { state in
      if let failure = state.failure { throw failure }
      return state.contents
    }
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
    for place in places { try? forget(place) }
  }
}
