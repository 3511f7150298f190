import Foundation
import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Gives names and zones to the records of objects and pairs that have none yet, before anything is sent: a record that
/// is sent twice, because the answer was lost, is sent under one name ([mirror-10]).
struct RecordAssignment {
  let edits: StoreEdits
  let scope: CKDatabase.Scope

  /// - Assumption: a record's name is a random UUID in capitals, as all reports have it. Apple's article shows one that
  ///   begins with the record type, an early form.
  static func newName() -> String { UUID().uuidString }

  /// The entry of an object, which gets one together with all that it is related to, if it has none.
  ///
  /// The zone is that of the objects to which the new ones are related; without any it is the zone of what is not
  /// shared, or the public database's only one ([mirror-12], [mirror-35]). Throws if that leads to several zones, or to none.
  func entry(of id: RowID) throws -> RecordEntry {
    if let entry = RecordEntry(try edits.row(id.number, in: .records)) { return entry }
    var zones: Set<ZoneHome> = []
    let members = try GraphWalk(view: edits.transaction).reached(from: [id]) { id in
      guard let entry = RecordEntry(try edits.row(id.number, in: .records)) else { return true }
      zones.insert(entry.home.zone)
      return false
    }
    guard zones.count <= 1 else { throw MirroringError.severalZones(id, in: edits.transaction, zones) }
    guard let zone = zones.first ?? scope.ownZone else {
      throw MirroringError.noZone(edits.schema.entities[Int(id.entity)].name)
    }
    for member in members.sorted() { assign(member, to: zone) }
    return RecordEntry(try edits.row(id.number, in: .records)) ?? assign(id, to: zone)
  }

  @discardableResult
  func assign(_ id: RowID, to zone: ZoneHome) -> RecordEntry {
    let entry = RecordEntry(number: id.number, home: RecordHome(zone, Self.newName()))
    edits.put(entry.row, in: .records)
    return entry
  }

  // MARK: Pairs

  /// Makes entries for the pairs of an object that have none, and marks those whose objects are no longer linked.
  func assignLinks(of id: RowID, _ entry: RecordEntry, _ relationships: [Int]) throws {
    for relationship in relationships {
      guard case .links(let table, let isForward) = edits.schema.relationships[relationship].storage else { continue }
      let name = LinkEntry.name(of: table, in: edits.schema)
      let linked = Set(try edits.transaction.related(id, relationship).map(\.number))
      var known = try edits.links(of: id.number, isForward: isForward)
      // A relationship that is its own inverse holds a pair once, either way round.
      if edits.schema.relationships[table].inverse == table {
        known += try edits.links(of: id.number, isForward: false)
      }
      known.removeAll { $0.relationship != name }
      func other(_ link: LinkEntry) -> Int64 { link.forward == id.number ? link.backward : link.forward }
      for place in known.indices where known[place].isEnding == linked.contains(other(known[place])) {
        known[place].isEnding.toggle()
        edits.put(known[place])
      }
      let others = Set(known.map(other))
      for other in linked.subtracting(others).sorted() {
        guard let otherID = try edits.objects.id(numbered: other) else { continue }
        let zone = try self.entry(of: otherID).home.zone
        guard zone == entry.home.zone else {
          throw MirroringError.severalZones(id, in: edits.transaction, [zone, entry.home.zone])
        }
        let rows = (0..<3).map { _ in edits.transaction.newNumber() }
        edits.put(
          LinkEntry(
            relationship: name, forward: isForward ? id.number : other, backward: isForward ? other : id.number,
            home: RecordHome(entry.home.zone, Self.newName()), rows: rows))
      }
    }
  }

  /// Marks all pairs of an object that is gone.
  func endLinks(of number: Int64) throws {
    for var link in try edits.links(of: number) where !link.isEnding {
      link.isEnding = true
      edits.put(link)
    }
  }
}

extension CKDatabase.Scope {
  /// The zone of objects that are related to no others; nil where they belong nowhere.
  fileprivate var ownZone: ZoneHome? {
    switch self {
    case .private: .private
    case .public: .public
    case .shared: nil
    }
  }
}
