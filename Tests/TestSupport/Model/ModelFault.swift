import LocalCloudPlatform
import Synchronization

/// Faults to plant in the members' processes, to test that a run detects them.
package enum ModelFault: String, Sendable, CaseIterable {
  /// A share's log misses its changes.
  case unloggedShare
  /// The log of a shared database does not mention a zone.
  case noMention
  /// The pointer to a zone stays when a participant is removed.
  case keptPointer
  /// The pointer to a zone is not created when a participant joins.
  case noPointer

  func fileSystem() -> FileSystem {
    FileSystem { call in self.concerns(call) ? .skip : .proceed }
  }

  private func concerns(_ call: FileSystemCall) -> Bool {
    switch (self, call) {
    case (.unloggedShare, .write(let path, _, _)): path.contains("/zones/Tree/shares/")
    case (.noMention, .write(let path, _, _)): path.contains("/shared/") && path.hasSuffix("/changes.jsonl")
    case (.keptPointer, .remove(let path)): path.contains("/shared/") && path.contains("/zones/")
    case (.noPointer, .rename(_, let path)): path.contains("/shared/") && path.contains("/zones/")
    default: false
    }
  }
}
