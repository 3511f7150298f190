import Platform
import Synchronization

/// Faults that a crowd's processes are started with, to show that the run finds them out.
package enum ModelFault: String, Sendable, CaseIterable {
  /// A share's log that misses what left it.
  case deafShare
  /// A shared database's log that does not mention a zone.
  case noMention
  /// A pointer that stays when somebody is thrown out.
  case keptPointer
  /// A pointer that is not made when somebody joins.
  case noPointer

  func fileSystem() -> FileSystem {
    FileSystem { call in self.concerns(call) ? .skip : .proceed }
  }

  private func concerns(_ call: FileSystemCall) -> Bool {
    switch (self, call) {
    case (.deafShare, .write(let path, _, _)): path.contains("/zones/Tree/shares/")
    case (.noMention, .write(let path, _, _)): path.contains("/shared/") && path.hasSuffix("/changes.jsonl")
    case (.keptPointer, .remove(let path)): path.contains("/shared/") && path.contains("/zones/")
    case (.noPointer, .rename(_, let path)): path.contains("/shared/") && path.contains("/zones/")
    default: false
    }
  }
}
