import Platform
import Synchronization

/// A file that was brought into a zone, and that no record refers to yet.
///
/// Threads: its only state is atomic; use it from any thread.
package final class AssetUpload: Sendable {
  /// In the folder of uploads.
  let name: String
  let digest: String
  package let size: Int
  /// An asset of the zone that was found to hold the same bytes, and in which state of its file: as long as it is in
  /// that state, nobody has to compare them again.
  let twin: (name: AssetName, version: FileVersion)?
  private let committed = Atomic<Bool>(false)

  init(name: String, digest: String, size: Int, twin: (name: AssetName, version: FileVersion)?) {
    self.name = name
    self.digest = digest
    self.size = size
    self.twin = twin
  }

  /// Whether it is the journal's, which puts it in place, sooner or later.
  var isCommitted: Bool {
    get { committed.load(ordering: .sequentiallyConsistent) }
    set { committed.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
