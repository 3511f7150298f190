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
      var places: [Int] = []
      while next < readings.count, places.count < count {
        if case .notBegun = readings[next] {
          readings[next] = .begun
          places.append(next)
        }
        next += 1
      }
      return places
    }
  }

  /// The number of documents per hand-over to the other thread. A hand-over costs as much as reading a document.
  private static var chunk: Int { 16 }

  private let state: ThreadCondition<State>
  private let line = SerialWorker()
  private let places: [ExactName: Int]

  /// - Parameter read: called on another thread, for each name at most once.
  package init(_ names: [ExactName], read: @escaping @Sendable (ExactName) throws -> Document?) {
    places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let state = ThreadCondition(State(readings: Array(repeating: .notBegun, count: names.count)))
    self.state = state
    line.add {
      while true {
        let places = state.change { $0.begin(Self.chunk) }
        if places.isEmpty { return }
        let found = places.map { place in Result { try read(names[place]) } }
        state.change { state in for (place, result) in zip(places, found) { state.readings[place] = .done(result) } }
      }
    }
  }

  /// The result of reading a document; waits if the reading has begun. Nil if it has not: then the caller reads it
  /// faster itself.
  package func document(_ name: ExactName) -> Result<Document?, any Error>? {
    guard let place = places[name] else { return nil }
    let found: Result<Document?, any Error>?? = state.wait(seconds: .infinity) { state in
      switch state.readings[place] {
      case .begun:
        return nil
      case .done(let result):
        return .some(result)
      case .notBegun, .left:
        state.readings[place] = .left
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
