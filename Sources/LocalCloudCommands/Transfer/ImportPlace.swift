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
