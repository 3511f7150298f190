import Platform

/// Something in the tree that is not as it must be, or that nobody could look at.
package struct Problem: Sendable, Hashable {
  package var path: String
  package var text: String
  /// It could not be read, so that nothing is known to be wrong: repair leaves it, and what hangs on it, as it is.
  package var isUnread = false

  package init(path: String, text: String, isUnread: Bool = false) {
    self.path = path
    self.text = text
    self.isUnread = isUnread
  }

  package init(_ error: SystemError) {
    self.init(
      path: error.path, text: error.leavesUnread ? "it could not be read: \(error.reason)" : error.reason,
      isUnread: error.leavesUnread)
  }
}

extension SystemError {
  /// Whether it says nothing of what is there: somebody else's file, no descriptors left, a disk that fails.
  package var leavesUnread: Bool { !isForeign && !isMissing && !isStopped }
}

extension [Problem] {
  /// Looks at one part of the tree: what can't be read of it must not keep anybody from the rest.
  package mutating func noting(_ look: () throws -> [Problem]) throws {
    do { self += try look() } catch let error as SystemError where error.leavesUnread { append(Problem(error)) }
  }

  /// Each once, in their order.
  package var unrepeated: [Problem] {
    var seen: Set<Problem> = []
    return filter { seen.insert($0).inserted }
  }
}
