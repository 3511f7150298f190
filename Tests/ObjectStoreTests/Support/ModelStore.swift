import LocalCloudObjectStore
import LocalCloudPredicateFormat
import LocalCloudStorage

/// A dictionary model of a store: the required behaviour of an object store in its simplest form.
struct ModelStore {
  var rows: [RowID: StoredRow] = [:]
  /// Pairs in the direction of the relationship that names their table, with their positions from either side.
  var links: [Pair: (position: Int64, inverse: Int64)] = [:]
  private var lastPosition: Int64 = 0
  var mirror: [MirrorTable: [Int64: MirrorRow]] = [:]
  var history: [[HistoryChange]] = []

  struct Pair: Hashable {
    var table: Int
    var from: RowID
    var to: RowID
  }

  private typealias Sample = SampleStore

  mutating func delete(_ id: RowID) {
    rows[id] = nil
    links = links.filter { $0.key.from != id && $0.key.to != id }
  }

  /// A new link is the last on both sides.
  mutating func link(_ id: RowID, _ relationship: Int, to other: RowID) {
    guard let (pair, _) = pair(id, relationship, other), links[pair] == nil else { return }
    lastPosition += 1
    links[pair] = (lastPosition, lastPosition)
  }

  mutating func unlink(_ id: RowID, _ relationship: Int, from other: RowID) {
    if let (pair, _) = pair(id, relationship, other) { links[pair] = nil }
  }

  mutating func arrange(_ id: RowID, _ relationship: Int, _ members: [RowID]) {
    for member in members {
      guard let (pair, isFirst) = pair(id, relationship, member) else { continue }
      lastPosition += 1
      if isFirst { links[pair]?.position = lastPosition } else { links[pair]?.inverse = lastPosition }
    }
  }

  private func pair(_ id: RowID, _ relationship: Int, _ other: RowID) -> (Pair, isFirst: Bool)? {
    guard case .links(let table, let isForward) = Sample.schema.relationships[relationship].storage else { return nil }
    let pair = isForward ? Pair(table: table, from: id, to: other) : Pair(table: table, from: other, to: id)
    let reverse = Pair(table: table, from: other, to: id)
    if Sample.schema.relationships[relationship].inverse == relationship, links[reverse] != nil, id != other {
      return (reverse, false)
    }
    return (pair, isForward)
  }

  func related(_ id: RowID, _ relationship: Int) -> [RowID] {
    let declared = Sample.schema.relationships[relationship]
    var found: [(RowID, Int64)] = []
    switch declared.storage {
    case .row: return []
    case .inverse(let inverse):
      for (source, row) in rows {
        guard let index = Sample.schema.entities[Int(source.entity)].toOnes.firstIndex(of: inverse),
          row.toOnes[index] == id
        else { continue }
        found.append((source, index < row.positions.count ? row.positions[index] : 0))
      }
    case .links(let table, let isForward):
      for (pair, positions) in links where pair.table == table {
        if isForward, pair.from == id { found.append((pair.to, positions.position)) }
        let isBoth = declared.inverse == relationship && pair.from != pair.to
        if !isForward || isBoth, pair.to == id { found.append((pair.from, positions.inverse)) }
      }
    }
    if declared.isOrdered { return found.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0) }
    return found.map(\.0).sorted()
  }

  // MARK: Fetching

  func fetch(_ fetch: StoreFetch, _ identifier: String) throws -> [RowID] {
    var evaluator = fetch.predicate.map { PredicateEvaluator($0) }
    evaluator?.nilComparison = fetch.nilComparison
    var found: [(id: RowID, values: [PredicateValue])] = []
    for (id, _) in rows where fetch.entities.contains(Int(id.entity)) {
      let subject = object(id, identifier)
      if try evaluator?.matches(subject) == false { continue }
      var sorter = PredicateEvaluator(.constant(true))
      found.append((id, try fetch.sort.map { try sorter.value(of: .keyPath(.subject, $0.path), for: subject) }))
    }
    found.sort { left, right in
      for (index, sort) in fetch.sort.enumerated() {
        let order = Self.order(left.values[index], right.values[index])
        if order != 0 { return (order < 0) == sort.isAscending }
      }
      return left.id < right.id
    }
    return found.dropFirst(fetch.offset).prefix(fetch.limit).map(\.id)
  }

  private static func order(_ left: PredicateValue, _ right: PredicateValue) -> Int {
    func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left > right ? 1 : 0 }
    switch (left, right) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let left), .integer(let right)): return compare(left, right)
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)): return compare(left, right)
    case (.string(let left), .string(let right)): return compare(left, right)
    default: fatalError("no order of \(left) and \(right)")
    }
  }

  func object(_ id: RowID, _ identifier: String) -> PredicateValue {
    let parts: [String: PredicateValue] = ["store": .string(identifier), "number": .integer(id.number)]
    return .object(PredicateObject(type: "NSManagedObject", parts: parts) { value(id, $0, identifier) })
  }

  private func value(_ id: RowID, _ key: String, _ identifier: String) -> PredicateValue? {
    let entity = Sample.schema.entities[Int(id.entity)]
    if let index = entity.attributes.firstIndex(where: { $0.name == key }) {
      return rows[id].map { PredicateValue($0.attributes[index]) } ?? .null
    }
    guard let relationship = Sample.schema.relationship(named: key, of: Int(id.entity)) else { return nil }
    if Sample.schema.relationships[relationship].isToMany {
      return .list(related(id, relationship).map { object($0, identifier) })
    }
    guard let index = entity.toOnes.firstIndex(of: relationship), let target = rows[id]?.toOnes[index],
      rows[target] != nil
    else { return .null }
    return object(target, identifier)
  }
}
