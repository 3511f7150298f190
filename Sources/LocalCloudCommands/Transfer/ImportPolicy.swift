import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// The effect of an imported line on an existing record that differs from it.
enum ImportPolicy: String, CaseIterable, Sendable {
  /// The line's fields are set. Other fields stay.
  case update
  /// The record gets exactly the line's fields. Other fields are removed.
  case replace
  /// The record stays unchanged.
  case skip
  /// The import stops at this record.
  case fail
}

/// The position of a record in the imported data.
enum ImportPosition: Sendable, Hashable {
  /// A line: its number, and the offset and count of its bytes in the file.
  case line(Int, offset: Int, count: Int)
  /// An item of a document's list: its index in the list. `ordinal` counts the items of all lists.
  case item(Int, list: String, ordinal: Int)

  /// The position, counted from 1.
  var number: Int {
    switch self {
    case .line(let number, _, _): number
    case .item(_, _, let ordinal): ordinal + 1
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

/// A flag that asks a long operation to stop at the next suitable point. It is never lowered.
///
/// Threads: use it from any thread.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}
