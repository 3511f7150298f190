import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat

/// The objects of a controller, in order and in sections.
struct FetchedResults {
  struct Section {
    var name: String
    var range: Range<Int>
  }

  /// The changes that a delegate is notified of.
  struct Changes {
    var sections: [(section: Section, index: Int, type: NSFetchedResultsChangeType)] = []
    var objects: [Object] = []

    typealias Object = (object: NSManagedObject, old: IndexPath?, type: NSFetchedResultsChangeType, new: IndexPath?)

    var isEmpty: Bool { sections.isEmpty && objects.isEmpty }
  }

  let plan: FetchPlan
  private let sectionPath: [String]?
  private(set) var objects: [NSManagedObject]
  private(set) var sections: [Section] = []

  init(_ objects: [NSManagedObject], _ plan: FetchPlan, sectionNameKeyPath: String?) {
    self.objects = objects
    self.plan = plan
    sectionPath = sectionNameKeyPath?.split(separator: ".").map(String.init)
    sections = makeSections()
  }

  private func makeSections() -> [Section] {
    guard let sectionPath else {
      return objects.isEmpty ? [Section(name: "", range: 0..<0)] : [Section(name: "", range: objects.indices)]
    }
    var sections: [Section] = []
    for (index, object) in objects.enumerated() {
      let name = Self.name(of: object, sectionPath)
      if let last = sections.last, last.name == name {
        sections[sections.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        sections.append(Section(name: name, range: index..<(index + 1)))
      }
    }
    return sections
  }

  private static func name(of object: NSManagedObject, _ path: [String]) -> String {
    switch KeyValueCoding.value(of: object, path[...]) {
    case nil: return ""
    case let text as String: return text
    // On Apple's systems a Boolean's text is a number.
    case let number as NSNumber: return number is Bool ? "\(number.intValue)" : number.stringValue
    case let value?: return "\(value)"
    }
  }

  /// The first object with the section name of an earlier, finished section. Nil if the objects are sorted by section.
  var outOfOrder: (index: Int, name: String)? {
    var known: Set<String> = []
    return sections.first { !known.insert($0.name).inserted }.map { ($0.range.lowerBound, $0.name) }
  }

  func indexPath(_ index: Int) -> IndexPath? {
    guard let section = section(at: index) else { return nil }
    return IndexPath(item: index - sections[section].range.lowerBound, section: section)
  }

  // MARK: Changes

  /// Updates the results with changed objects; returns the differences from the results before.
  ///
  /// - Parameters:
  ///   - event: the changes, as the objects' context recorded them.
  ///   - fetched: the number of the last change that was included when the results were fetched.
  mutating func update(_ changed: [NSManagedObject], _ event: ChangeEvent, since fetched: Int) -> Changes {
    var relevant = Set(changed).filter { object in
      plan.withSubentities ? object.entity.isKindOf(entity: plan.entity) : object.entity === plan.entity
    }
    guard !relevant.isEmpty else { return Changes() }
    let old = self
    let oldIndexes = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    relevant = relevant.filter { object in
      // An object that was fetched while its change was pending has not changed since then.
      !object.stage.isLive || event.refreshed.contains(object) || object.changeNumber > fetched
        || oldIndexes[ObjectIdentifier(object)] == nil
    }
    guard !relevant.isEmpty else { return Changes() }
    objects.removeAll { relevant.contains($0) }
    let found = relevant.filter(matches)
    // Objects of the old results are inserted first, in their old order, so that an object that still belongs between
    // its neighbours returns there.
    let kept = found.compactMap { object in oldIndexes[ObjectIdentifier(object)].map { (index: $0, object: object) } }
    for (index, object) in kept.sorted(by: { $0.index < $1.index }) {
      objects.insert(object, at: insertionIndex(for: object, from: index, oldIndexes))
    }
    for object in found.inOrder where oldIndexes[ObjectIdentifier(object)] == nil {
      objects.insert(object, at: insertionIndex(for: object, from: nil, oldIndexes))
    }
    sections = makeSections()
    return changes(from: old, oldIndexes, relevant, event)
  }

  private func matches(_ object: NSManagedObject) -> Bool {
    guard object.stage.isLive else { return false }
    if let store = object.identity.persistentStore, !plan.stores.contains(where: { $0 === store }) { return false }
    guard let predicate = plan.predicate else { return true }
    var evaluator = PredicateEvaluator(predicate, matching: TextPattern.matching)
    return (try? evaluator.matches(object.predicateValue)) ?? false
  }

  /// The insertion index: behind all objects that sort before it. Among equal objects, only behind those that preceded
  /// it in the old results.
  private func insertionIndex(
    for object: NSManagedObject, from old: Int?, _ oldIndexes: [ObjectIdentifier: Int]
  ) -> Int {
    let sort = plan.sort
    let values = sort.values(object)
    let end = objects.partitionIndex { sort.precede(values, sort.values($0)) ?? false }
    guard let old else { return end }
    let start = objects.partitionIndex { !(sort.precede(sort.values($0), values) ?? false) }
    return objects[start..<end].firstIndex { oldIndexes[ObjectIdentifier($0)].map { $0 > old } ?? true } ?? end
  }

  private func changes(
    from old: FetchedResults, _ oldIndexes: [ObjectIdentifier: Int], _ changed: Set<NSManagedObject>,
    _ event: ChangeEvent
  ) -> Changes {
    var changes = Changes()
    if sectionPath != nil {
      let names = Set(sections.map(\.name))
      let oldNames = Set(old.sections.map(\.name))
      for (index, section) in old.sections.enumerated() where !names.contains(section.name) {
        changes.sections.append((section, index, .delete))
      }
      for (index, section) in sections.enumerated() where !oldNames.contains(section.name) {
        changes.sections.append((section, index, .insert))
      }
    }
    let newIndexes = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    let kept = changed.filter { oldIndexes[ObjectIdentifier($0)] != nil && newIndexes[ObjectIdentifier($0)] != nil }
    let gone = changed.subtracting(kept)
    let moved = moved(from: old, movable(kept, oldIndexes, event), without: gone, oldIndexes)
    var found: [(rank: Int, index: Int, change: Changes.Object)] = []
    for object in changed {
      let key = ObjectIdentifier(object)
      switch (oldIndexes[key], newIndexes[key]) {
      case (nil, nil): break
      case (let index?, nil): found.append((0, index, (object, old.indexPath(index), .delete, nil)))
      case (nil, let index?): found.append((1, index, (object, nil, .insert, indexPath(index))))
      case (let before?, let after?):
        let hasMoved = moved.contains(object) || sectionName(after) != old.sectionName(before)
        let type: NSFetchedResultsChangeType = hasMoved ? .move : .update
        found.append((hasMoved ? 2 : 3, after, (object, old.indexPath(before), type, indexPath(after))))
      }
    }
    changes.objects = found.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.change)
    return changes
  }

  /// The objects that may have moved: a value that determines order or section has changed, as far as the context
  /// recorded it.
  private func movable(
    _ kept: Set<NSManagedObject>, _ oldIndexes: [ObjectIdentifier: Int], _ event: ChangeEvent
  ) -> Set<NSManagedObject> {
    let paths = plan.sort.map(\.path) + [sectionPath].compactMap(\.self)
    let movable = kept.filter { object in paths.contains { event.mayChange(object, at: $0[...]) } }
    let others = objects.filter { !movable.contains($0) }.compactMap { oldIndexes[ObjectIdentifier($0)] }
    // A value may change without a notification to the context: then every object may have moved.
    return zip(others, others.dropFirst()).allSatisfy(<) ? movable : kept
  }

  private func sectionName(_ index: Int) -> String? { section(at: index).map { sections[$0].name } }

  /// The section of the object at an index.
  private func section(at index: Int) -> Int? {
    let found = sections.partitionIndex { $0.range.upperBound > index }
    return found < sections.count && sections[found].range.contains(index) ? found : nil
  }

  /// A smallest set of `movable` objects that explains the new order: all other objects keep their relative order.
  /// Inserted and removed objects are ignored.
  private func moved(
    from old: FetchedResults, _ movable: Set<NSManagedObject>, without gone: Set<NSManagedObject>,
    _ oldIndexes: [ObjectIdentifier: Int]
  ) -> Set<NSManagedObject> {
    let before = Self.gaps(in: old.objects, of: movable, without: gone)
    let after = Self.gaps(in: objects, of: movable, without: gone)
    let candidates = objects.compactMap { object -> (object: NSManagedObject, index: Int)? in
      guard movable.contains(object), before[ObjectIdentifier(object)] == after[ObjectIdentifier(object)] else {
        return nil
      }
      return oldIndexes[ObjectIdentifier(object)].map { (object, $0) }
    }
    let longest = Arrangement.rising(candidates.map { Int64($0.index) }).map { candidates[$0].object }
    return movable.subtracting(longest)
  }

  /// The number of other objects that precede each of the `movable` ones.
  private static func gaps(
    in objects: [NSManagedObject], of movable: Set<NSManagedObject>, without gone: Set<NSManagedObject>
  ) -> [ObjectIdentifier: Int] {
    var result: [ObjectIdentifier: Int] = [:]
    var count = 0
    for object in objects where !gone.contains(object) {
      if movable.contains(object) { result[ObjectIdentifier(object)] = count } else { count += 1 }
    }
    return result
  }
}

extension ChangeEvent {
  /// Whether the value of an object at a key path may have changed by the event.
  fileprivate func mayChange(_ object: NSManagedObject, at path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return false }
    if inserted.contains(object) || object.changedInEvent.contains(name) { return true }
    // For an object that lost its values, the changed keys are unknown.
    if refreshed.contains(object), refreshedKeys[object]?.contains(name) ?? true { return true }
    guard path.count > 1, let target = object.value(forKey: name) as? NSManagedObject else { return false }
    return mayChange(target, at: path.dropFirst())
  }
}
