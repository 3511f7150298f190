import Synchronization

/// A cache of the nodes that were requested last. A reference includes its page's checksum, so the page it refers to
/// never changes. Each commit descends from the root several times, and most nodes that it reads were read by the
/// commit before.
///
/// Threads: safe to use from any.
final class KnownPages: Sendable {
  /// The maximum number of pages, of 8 kB each, among the ``recent`` ones and again among the ``earlier`` ones.
  private static let limit = 16

  private struct State {
    var recent: [PageReference: NodePage] = [:]
    /// Nodes that are dropped unless they are requested before ``recent`` is full again.
    var earlier: [PageReference: NodePage] = [:]

    mutating func store(_ node: NodePage, _ reference: PageReference) {
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
      state.store(node, reference)
      return node
    }
  }

  func store(_ node: NodePage, _ reference: PageReference) {
    state.withLock { $0.store(node, reference) }
  }
}
