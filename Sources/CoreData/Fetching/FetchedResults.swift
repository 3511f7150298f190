import Foundation
import FoundationPredicates
import PredicateFormat

/// The objects of a controller, in order and in sections.
struct FetchedResults {
  struct Section {
    var name: String
    var range: Range<Int>
  }

  /// What a delegate is told of.
  struct Changes {
    var sections: [(section: Section, place: Int, type: NSFetchedResultsChangeType)] = []
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
    for (place, object) in objects.enumerated() {
      let name = Self.name(of: object, sectionPath)
      if let last = sections.last, last.name == name {
        sections[sections.count - 1].range = last.range.lowerBound..<(place + 1)
      } else {
        sections.append(Section(name: name, range: place..<(place + 1)))
      }
    }
    return sections
  }

  private static func name(of object: NSManagedObject, _ path: [String]) -> String {
    switch KeyValueCoding.value(of: object, path[...]) {
    case nil: return ""
    case let text as String: return text
    // A truth value's text is a number on Apple's systems.
    case let number as NSNumber: return number is Bool ? "\(number.intValue)" : number.stringValue
    case let value?: return "\(value)"
    }
  }

  /// The first object whose section has begun, and ended, before: the objects are not in the order of their sections.
  var outOfOrder: (place: Int, name: String)? {
    var known: Set<String> = []
    return sections.first { !known.insert($0.name).inserted }.map { ($0.range.lowerBound, $0.name) }
  }

  func indexPath(_ place: Int) -> IndexPath? {
    guard let section = section(at: place) else { return nil }
    return IndexPath(item: place - sections[section].range.lowerBound, section: section)
  }

  // MARK: Changes

  /// Takes what became of objects; says how the results differ from those before.
  mutating func update(_ changed: [NSManagedObject]) -> Changes {
    let relevant = Set(changed).filter { object in
      plan.withSubentities ? object.entity.isKindOf(entity: plan.entity) : object.entity === plan.entity
    }
    guard !relevant.isEmpty else { return Changes() }
    let old = self
    let oldPlaces = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    objects.removeAll { relevant.contains($0) }
    let order = ObjectOrder(plan.sort)
    let found = relevant.filter(matches)
    // What was there comes first, so that it is put back between its neighbours if it still belongs there.
    let kept = found.compactMap { object in oldPlaces[ObjectIdentifier(object)].map { (place: $0, object: object) } }
    for (place, object) in kept.sorted(by: { $0.place < $1.place }) {
      objects.insert(object, at: self.place(for: object, order, from: place, oldPlaces))
    }
    for object in found.inOrder where oldPlaces[ObjectIdentifier(object)] == nil {
      objects.insert(object, at: self.place(for: object, order, from: nil, oldPlaces))
    }
    sections = makeSections()
    return changes(from: old, oldPlaces, relevant)
  }

  private func matches(_ object: NSManagedObject) -> Bool {
    guard object.stage.isLive else { return false }
    if let store = object.identity.persistentStore, !plan.stores.contains(where: { $0 === store }) { return false }
    guard let predicate = plan.predicate else { return true }
    var evaluator = PredicateEvaluator(predicate)
    return (try? evaluator.matches(object.predicateValue)) ?? false
  }

  /// Behind all objects that do not come later; of those that are equal, only behind the ones that it was behind before.
  private func place(
    for object: NSManagedObject, _ order: ObjectOrder, from old: Int?, _ oldPlaces: [ObjectIdentifier: Int]
  ) -> Int {
    let end = firstPlace { order.precedes(object, $0) }
    guard let old else { return end }
    let start = firstPlace { !order.precedes($0, object) }
    return objects[start..<end].firstIndex { oldPlaces[ObjectIdentifier($0)].map { $0 > old } ?? true } ?? end
  }

  /// The first place from which on the condition holds.
  private func firstPlace(_ holds: (NSManagedObject) -> Bool) -> Int {
    var (low, high) = (0, objects.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(objects[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func changes(
    from old: FetchedResults, _ oldPlaces: [ObjectIdentifier: Int], _ changed: Set<NSManagedObject>
  ) -> Changes {
    var changes = Changes()
    if sectionPath != nil {
      let names = Set(sections.map(\.name))
      let oldNames = Set(old.sections.map(\.name))
      for (place, section) in old.sections.enumerated() where !names.contains(section.name) {
        changes.sections.append((section, place, .delete))
      }
      for (place, section) in sections.enumerated() where !oldNames.contains(section.name) {
        changes.sections.append((section, place, .insert))
      }
    }
    let newPlaces = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    // An object moved if it left its place among those that did not change, or among the changed ones beside it.
    let kept = changed.filter { oldPlaces[ObjectIdentifier($0)] != nil && newPlaces[ObjectIdentifier($0)] != nil }
    let gone = changed.subtracting(kept)
    let stays = Self.gaps(in: old.objects, of: kept, without: gone)
    let now = Self.gaps(in: objects, of: kept, without: gone)
    var found: [(rank: Int, place: Int, change: Changes.Object)] = []
    for object in changed {
      let key = ObjectIdentifier(object)
      switch (oldPlaces[key], newPlaces[key]) {
      case (nil, nil): break
      case (let place?, nil): found.append((0, place, (object, old.indexPath(place), .delete, nil)))
      case (nil, let place?): found.append((1, place, (object, nil, .insert, indexPath(place))))
      case (let before?, let after?):
        let hasMoved = stays[key] != now[key] || sectionName(after) != old.sectionName(before)
        let type: NSFetchedResultsChangeType = hasMoved ? .move : .update
        found.append((hasMoved ? 2 : 3, after, (object, old.indexPath(before), type, indexPath(after))))
      }
    }
    changes.objects = found.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.change)
    return changes
  }

  /// All objects as gone, and those of new results as come.
  func replacement(by new: FetchedResults) -> Changes {
    var changes = Changes()
    if sectionPath != nil {
      for (place, section) in sections.enumerated() { changes.sections.append((section, place, .delete)) }
      for (place, section) in new.sections.enumerated() { changes.sections.append((section, place, .insert)) }
    }
    for (place, object) in objects.enumerated() { changes.objects.append((object, indexPath(place), .delete, nil)) }
    for (place, object) in new.objects.enumerated() {
      changes.objects.append((object, nil, .insert, new.indexPath(place)))
    }
    return changes
  }

  private func sectionName(_ place: Int) -> String? { section(at: place).map { sections[$0].name } }

  /// The section of the object at a place.
  private func section(at place: Int) -> Int? {
    var (low, high) = (0, sections.count)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].range.upperBound > place { high = middle } else { low = middle + 1 }
    }
    return low < sections.count && sections[low].range.contains(place) ? low : nil
  }

  private struct Gap: Equatable {
    /// How many unchanged objects precede.
    var unchanged: Int
    /// How many changed ones do, behind the last unchanged one.
    var place: Int
  }

  /// Where the `kept` objects are among the others; those that came or went do not count.
  private static func gaps(
    in objects: [NSManagedObject], of kept: Set<NSManagedObject>, without gone: Set<NSManagedObject>
  ) -> [ObjectIdentifier: Gap] {
    var result: [ObjectIdentifier: Gap] = [:]
    var next = Gap(unchanged: 0, place: 0)
    for object in objects where !gone.contains(object) {
      if kept.contains(object) {
        result[ObjectIdentifier(object)] = next
        next.place += 1
      } else {
        next = Gap(unchanged: next.unchanged + 1, place: 0)
      }
    }
    return result
  }
}
