import Platform
import Storage

/// Records of a large commit, encoded beside its planning, and their files, made beside what comes after it.
///
/// Its maker's thread uses it, and ends it with ``end()`` before the zone's lock is let go.
final class StagingAhead {
  /// A record as its file will hold it.
  struct Content {
    var bytes: [UInt8]
    var digest: String
    fileprivate var isNew: Bool
  }

  private struct Job {
    var place: Int
    var record: StoredRecord
    var isNew: Bool
  }

  /// A hand-over costs as much as a record.
  private static let chunk = 16

  private let folder: Directory
  private let encoding = JobLine()
  /// By the number of the effect that will put the file in place.
  private let encoded = Condition([Int: Content]())
  private var waiting: [Job] = []
  /// The effects that something was put for.
  private(set) var places: Set<Int> = []
  /// Once it is known what is in them.
  private(set) var files: FilesInTheMaking?

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
    encoding.add { [encoded, waiting] in
      let contents = waiting.map { job in
        let bytes = job.record.bytes
        return (job.place, Content(bytes: bytes, digest: Digest.hex64(bytes), isNew: job.isNew))
      }
      encoded.change { encoded in for (place, content) in contents { encoded[place] = content } }
    }
    waiting = []
  }

  /// What each file will hold, by effect, of which there are `count`: what was put for later ones is none of theirs. The
  /// files are being made from then on; where the disk may be too full for them, they are made by then.
  func contents(of count: Int) throws -> [Int: Content] {
    handOver()
    try encoding.finish()
    places = places.filter { $0 < count }
    let contents = encoded.change { $0.filter { places.contains($0.key) } }
    let jobs = contents.sorted { $0.key < $1.key }
      .map { FilesInTheMaking.Job(place: $0.key, bytes: $0.value.bytes, isNew: $0.value.isNew) }
    let files = FilesInTheMaking(jobs, in: folder)
    self.files = files
    if !folder.hasRoom(for: jobs.map { $0.bytes.count }) { try files.finish() }
    return contents
  }

  /// What was made and nobody took goes.
  func end() {
    waiting = []
    try? encoding.finish()
    files?.end()
  }
}
