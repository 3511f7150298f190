import LocalCloudPlatform

/// A part of the tree that is invalid or could not be read.
package struct Problem: Sendable, Hashable {
  package var path: String
  package var text: String
  /// The part could not be read, so nothing is known to be wrong with it. Repair leaves it, and the parts that depend
  /// on it, unchanged.
  package var isUnread = false

  package init(path: String, text: String, isUnread: Bool = false) {
    self.path = path
    self.text = text
    self.isUnread = isUnread
  }

  package init(_ error: SystemError) {
    // A part is not read, either, if its journal can't be applied.
    let attempt = error.isWrite ? "it could not be written" : "it could not be read"
    self.init(
      path: error.path, text: error.leavesUnread ? "\(attempt): \(error.reason)" : error.reason,
      isUnread: error.leavesUnread)
  }
}

extension SystemError {
  /// Whether the error says nothing about the contents: no permission, no descriptors left, a failing disk.
  package var leavesUnread: Bool { !isForeign && !isMissing && !isStopped }
}

extension [Problem] {
  /// Adds the problems that `look` finds in one part of the tree. A part that can't be read becomes a problem itself,
  /// so that the caller can go on with the rest.
  package mutating func noting(_ look: () throws -> [Problem]) throws {
    do { self += try look() } catch let error as SystemError where error.leavesUnread { append(Problem(error)) }
  }

  /// The problems without repetitions, in their order.
  package var unrepeated: [Problem] {
    var seen: Set<Problem> = []
    return filter { seen.insert($0).inserted }
  }
}
