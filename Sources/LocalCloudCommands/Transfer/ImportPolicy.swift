import CloudStore
import Storage
import Synchronization

/// What becomes of a record that is there already and differs from its line.
enum ImportPolicy: String, CaseIterable, Sendable {
  /// The line's fields are set; others stay.
  case update
  /// The record becomes what the line says; other fields go.
  case replace
  /// It stays as it is.
  case skip
  /// The import stops there.
  case fail
}

/// Where a record stands in what is imported.
enum ImportPlace: Sendable, Hashable {
  /// A line, and its bytes in the file.
  case line(Int, offset: Int, count: Int)
  /// A member of a document's list; `position` counts those of all lists.
  case item(Int, list: String, position: Int)

  /// From 1.
  var number: Int {
    switch self {
    case .line(let number, _, _): number
    case .item(_, _, let position): position + 1
    }
  }

  var isLine: Bool {
    if case .line = self { true } else { false }
  }

  var description: String {
    switch self {
    case .line(let number, _, _): "line \(number)"
    case .item(let index, let list, _): "\(list)[\(index)]"
    }
  }
}

/// Raised once, by whoever wants long work to end at the next good place.
///
/// Threads: use it from any thread.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}
