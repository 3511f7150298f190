import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Assigns names and zones to the records of objects and pairs that have none, before anything is sent: a record that
/// is sent twice, because an answer was lost, has the same name both times ([mirror-10]).
struct RecordAssignment {
  let edits: StoreTransaction
  let scope: CKDatabase.Scope

  /// - Assumption: a record's name is a random UUID in capitals, as in all reports. Apple's article shows a name that
  ///   begins with the record type, an early form.
  static func newName() -> String { UUID().uuidString }

  /// The entry of an object. If there is none, creates entries for the object and all related objects without one.
  ///
  /// The zone is that of the related objects with entries. If there are none, it is the zone for objects that are not
  /// shared, or the only zone of the public database ([mirror-12], [mirror-35]). Throws if there are several zones, or
  /// none.
  func entry(of id: RowID) throws -> RecordEntry {
    if let entry = try edits.record(of: id) { return entry }
    var zones: Set<ZoneLocation> = []
    let members = try GraphWalk(view: edits).reached(from: [id]) { id in
      guard let entry = try edits.record(of: id) else { return true }
      zones.insert(entry.location.zone)
      return false
    }
    guard zones.count <= 1 else { throw MirroringError.severalZones(id, in: edits, zones) }
    guard let zone = zones.first ?? scope.ownZone else {
      throw MirroringError.noZone(edits.schema.entities[Int(id.entity)].name)
    }
    for member in members.sorted() { assign(member, to: zone) }
    return try edits.record(of: id) ?? assign(id, to: zone)
  }

  @discardableResult
  func assign(_ id: RowID, to zone: ZoneLocation) -> RecordEntry {
    let entry = RecordEntry(id: id, location: RecordLocation(zone, Self.newName()))
    edits.put(entry.row, in: .records)
    return entry
  }

  // MARK: Pairs

  /// Creates entries for pairs of an object that have none. Marks pairs for deletion if their objects are no longer
  /// linked.
  func assignLinks(of id: RowID, _ entry: RecordEntry, _ relationships: [Int]) throws {
    for relationship in relationships {
      guard case .links(let table, let isForward) = edits.schema.relationships[relationship].storage else { continue }
      let name = LinkEntry.name(of: table, in: edits.schema)
      let linked = Set(try edits.related(id, relationship))
      var known = try edits.links(of: id, isForward: isForward)
      // A relationship that is its own inverse stores a pair once, in either direction.
      if edits.schema.relationships[table].inverse == table {
        known += try edits.links(of: id, isForward: false)
      }
      known.removeAll { $0.relationship != name }
      func other(_ link: LinkEntry) -> RowID { link.forward == id ? link.backward : link.forward }
      for index in known.indices where known[index].isEnding == linked.contains(other(known[index])) {
        known[index].isEnding.toggle()
        edits.put(known[index])
      }
      let others = Set(known.map(other))
      for other in linked.subtracting(others).sorted() {
        guard try edits.exists(other) else { continue }
        let zone = try self.entry(of: other).location.zone
        guard zone == entry.location.zone else {
          throw MirroringError.severalZones(id, in: edits, [zone, entry.location.zone])
        }
        let rows = (0..<3).map { _ in edits.newNumber() }
        edits.put(
          LinkEntry(
            relationship: name, forward: isForward ? id : other, backward: isForward ? other : id,
            location: RecordLocation(entry.location.zone, Self.newName()), rows: rows))
      }
    }
  }

  /// Marks all pairs of a deleted object for deletion.
  func endLinks(of id: RowID) throws {
    for var link in try edits.links(of: id) where !link.isEnding {
      link.isEnding = true
      edits.put(link)
    }
  }
}

extension CKDatabase.Scope {
  /// The zone of objects without related objects; nil in a database that has no zone for them.
  fileprivate var ownZone: ZoneLocation? {
    switch self {
    case .private: .private
    case .public: .public
    case .shared: nil
    }
  }
}
