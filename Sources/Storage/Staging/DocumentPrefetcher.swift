import LocalCloudPlatform

/// Reads the documents that a large commit is about to need, on a second thread during its planning.
///
/// Threads: made and used on one thread. Call ``end()`` before the folder's lock is released.
package final class DocumentPrefetcher<Document: Sendable>: Sendable {
  private enum Reading {
    case notBegun
    case begun
    case done(Result<Document?, any Error>)
    /// The caller reads the document itself.
    case left
  }

  private struct State {
    /// The readings, by the index of the name.
    var readings: [Reading]
    /// The index from which the search for the next reading continues.
    var next = 0

    /// Marks the next readings as begun and returns their indices, at most `count`.
    mutating func begin(_ count: Int) -> [Int] {
      var indexes: [Int] = []
      while next < readings.count, indexes.count < count {
        if case .notBegun = readings[next] {
          readings[next] = .begun
          indexes.append(next)
        }
        next += 1
      }
      return indexes
    }
  }

  /// The number of documents per hand-over to the other thread. A hand-over costs as much as reading a document.
  private static var chunk: Int { 16 }

  private let state: ThreadCondition<State>
  private let line = SerialWorker()
  private let indexes: [ExactName: Int]

  /// - Parameter read: called on another thread, for each name at most once.
  package init(_ names: [ExactName], read: @escaping @Sendable (ExactName) throws -> Document?) {
    indexes = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let state = ThreadCondition(State(readings: Array(repeating: .notBegun, count: names.count)))
    self.state = state
    line.add {
      while true {
        let indexes = state.change { $0.begin(Self.chunk) }
        if indexes.isEmpty { return }
        let found = indexes.map { index in Result { try read(names[index]) } }
        state.change { state in for (index, result) in zip(indexes, found) { state.readings[index] = .done(result) } }
      }
    }
  }

  /// The result of reading a document; waits if the reading has begun. Nil if it has not: then the caller reads it
  /// faster itself.
  package func document(_ name: ExactName) -> Result<Document?, any Error>? {
    guard let index = indexes[name] else { return nil }
    let found: Result<Document?, any Error>?? = state.wait(seconds: .infinity) { state in
      switch state.readings[index] {
      case .begun:
        return nil
      case .done(let result):
        return .some(result)
      case .notBegun, .left:
        state.readings[index] = .left
        return .some(nil)
      }
    }
    return found ?? nil
  }

  package func end() {
    state.change { $0.next = $0.readings.count }
    try? line.finish()
  }
}
