/// An operation on a zone as ``ZoneLinearizer`` sees it. Records and values are numbers.
struct ZoneOperation {
  enum ZoneEffect {
    case create, delete
  }

  var start: UInt64
  /// Nil: the operation may take effect at any time.
  var end: UInt64?
  /// Whether the operation may have no effect at all.
  var isOptional = false
  /// Whether the zone exists when the operation takes effect; nil: it does not matter.
  var needsZone: Bool?
  /// The values of records when the operation takes effect; 0: there is no record.
  var needs: [Int: Int] = [:]
  /// The values of records afterwards.
  var sets: [Int: Int] = [:]
  var zoneEffect: ZoneEffect?
  /// The operation in words, for a problem.
  var text: String

  var isRead: Bool { sets.isEmpty && zoneEffect == nil }

  // Sets of records as bits. Records that share a bit only make operations depend on each other. Bit 0 is the zone.
  fileprivate var written: UInt64 { zoneEffect == nil ? Self.bits(sets.keys) : .max }
  fileprivate var touched: UInt64 { written | Self.bits(needs.keys) | 1 }

  private static func bits(_ records: Dictionary<Int, Int>.Keys) -> UInt64 {
    records.reduce(0) { $0 | 1 << UInt64(1 + $1 % 63) }
  }

  fileprivate func depends(on other: ZoneOperation) -> Bool {
    written & other.touched != 0 || other.written & touched != 0
  }
}

/// Decides whether the operations of one zone are linearizable: whether each takes effect at one instant between its
/// start and its end, so that all results are correct.
///
/// The algorithm is Wing and Gong's search in Lowe's form ("Testing for linearizability", 2017): it goes through the
/// starts and ends in the order of time, with the set of all configurations. A configuration is a state of the zone and
/// the running operations that have taken effect in it. An operation has to take effect at the latest at its end; before
/// it, other running operations may. When no operation is running, only the possible states remain, so each quiet
/// instant cuts the history. Two reductions lose no order:
/// - A read takes effect as soon as its result is correct: it changes nothing for the others.
/// - At an operation's end, only those running operations are tried that depend on it, directly or by others. The rest
///   commute with it and take effect later, at the latest at their own ends.
struct ZoneLinearizer {
  private struct Configuration: Hashable {
    var isZoneThere = true
    var values: [Int]
    /// The running operations that have taken effect.
    var finished: Set<Int> = []
  }

  /// More configurations than any real history needs.
  private static let maximumConfigurations = 100_000

  private let operations: [ZoneOperation]
  private var running: [Int] = []
  private var configurations: Set<Configuration>

  /// - Parameter records: the number of records. At first the zone exists, and no record does.
  init(_ operations: [ZoneOperation], records: Int) {
    self.operations = operations
    configurations = [Configuration(values: Array(repeating: 0, count: records))]
  }

  /// The first result that no order explains; nil: the operations are linearizable.
  mutating func problem() -> String? {
    var events: [(time: UInt64, isEnd: Bool, operation: Int)] = []
    for (index, operation) in operations.enumerated() {
      events.append((operation.start, false, index))
      if let end = operation.end { events.append((end, true, index)) }
    }
    // At the same time starts come first: the operations are concurrent.
    events.sort { ($0.time, $0.isEnd ? 1 : 0, $0.operation) < ($1.time, $1.isEnd ? 1 : 0, $1.operation) }
    for event in events {
      if event.isEnd {
        if let problem = end(event.operation) { return problem }
      } else {
        running.append(event.operation)
        if operations[event.operation].isRead { configurations = Set(configurations.map(finishingReads)) }
      }
    }
    return nil
  }

  private mutating func end(_ index: Int) -> String? {
    let before = configurations
    let candidates = writes(before: index)
    var seen = before
    var stack = Array(before)
    // Without the operation, if it may have no effect.
    var reached: Set<Configuration> = []
    if operations[index].isOptional { reached = before.filter { !$0.finished.contains(index) } }
    while let configuration = stack.popLast() {
      if configuration.finished.contains(index) {
        reached.insert(without(index, configuration))
        continue
      }
      for candidate in candidates where !configuration.finished.contains(candidate) {
        if let next = applying(candidate, to: configuration), seen.insert(next).inserted { stack.append(next) }
      }
      if seen.count > Self.maximumConfigurations { return "\(operations[index].text): too many orders to decide" }
    }
    guard reached.isEmpty else {
      running.removeAll { $0 == index }
      configurations = reached
      return nil
    }
    let others = running.filter { $0 != index && operations[index].depends(on: operations[$0]) }
    return "no order explains \(operations[index].text)"
      + (others.isEmpty ? "" : ", beside " + others.map { operations[$0].text }.joined(separator: "; "))
  }

  /// The running operations that may have to take effect before an operation does, and the operation itself. Reads are
  /// not among them: see ``finishingReads(_:)``.
  private func writes(before index: Int) -> [Int] {
    var (found, rest) = ([index], running.filter { $0 != index })
    var position = 0
    while position < found.count {
      let next = rest.filter { operations[found[position]].depends(on: operations[$0]) }
      rest.removeAll { next.contains($0) }
      found += next
      position += 1
    }
    return found.filter { !operations[$0].isRead }
  }

  private func without(_ index: Int, _ configuration: Configuration) -> Configuration {
    var configuration = configuration
    configuration.finished.remove(index)
    return configuration
  }

  private func isPossible(_ operation: ZoneOperation, in configuration: Configuration) -> Bool {
    operation.needsZone.map { $0 == configuration.isZoneThere } ?? true
      && operation.needs.allSatisfy { configuration.values[$0.key] == $0.value }
  }

  /// The configuration after an operation; nil if the operation is not possible in it.
  private func applying(_ index: Int, to configuration: Configuration) -> Configuration? {
    let operation = operations[index]
    guard isPossible(operation, in: configuration) else { return nil }
    var configuration = configuration
    configuration.finished.insert(index)
    for (record, value) in operation.sets { configuration.values[record] = value }
    switch operation.zoneEffect {
    case .create: configuration.isZoneThere = true
    case .delete:
      configuration.isZoneThere = false
      configuration.values = configuration.values.map { _ in 0 }
    case nil: break
    }
    return finishingReads(configuration)
  }

  /// The configuration after all running reads with results that are correct in it.
  private func finishingReads(_ configuration: Configuration) -> Configuration {
    var configuration = configuration
    for index in running where operations[index].isRead && isPossible(operations[index], in: configuration) {
      configuration.finished.insert(index)
    }
    return configuration
  }
}
