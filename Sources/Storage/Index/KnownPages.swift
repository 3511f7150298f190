import Synchronization

/// The nodes that were asked for last. A reference holds its page's checksum, so what it leads to never changes; each
/// commit goes down from the root several times, and most of what it meets was there at the one before.
///
/// Threads: safe from any.
final class KnownPages: Sendable {
  /// Pages of 8 kB, once as ``recent`` ones and once as ``earlier`` ones.
  private static let limit = 16

  private struct State {
    var recent: [PageReference: NodePage] = [:]
    /// What is not asked for until there is a new set of recent ones goes.
    var earlier: [PageReference: NodePage] = [:]

    mutating func keep(_ node: NodePage, _ reference: PageReference) {
      if recent.count == KnownPages.limit {
        earlier = recent
        recent = [:]
      }
      recent[reference] = node
    }
  }

  private let state = Mutex(State())

  func node(_ reference: PageReference) -> NodePage? {
    state.withLock { state in
      if let node = state.recent[reference] { return node }
      guard let node = state.earlier[reference] else { return nil }
      state.keep(node, reference)
      return node
    }
  }

  func keep(_ node: NodePage, _ reference: PageReference) {
    state.withLock { $0.keep(node, reference) }
  }
}
