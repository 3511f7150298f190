import Foundation

/// The objects of a running migration: both contexts, and the associations of sources with the objects made of them.
final class MigratedObjects {
  /// The objects that one entity mapping made.
  private struct Associations {
    /// The made objects in the order in which they were made. They are held, as they are not saved yet.
    var destinations: [NSManagedObject] = []
    /// The sources of ``destinations``; nil for one without.
    var sources: [NSManagedObjectID?] = []
    /// Positions in ``destinations``.
    var bySource: [NSManagedObjectID: [Int]] = [:]
    var byDestination: [ObjectIdentifier: [Int]] = [:]
  }

  let source: NSManagedObjectContext
  let destination: NSManagedObjectContext
  private var associations: [String: Associations] = [:]
  /// The names of the mappings that made objects, in the order of the migration.
  private var names: [String] = []

  init(source: NSPersistentStoreCoordinator, destination: NSPersistentStoreCoordinator) {
    self.source = Self.emptyContext()
    self.source.persistentStoreCoordinator = source
    self.destination = Self.emptyContext()
    self.destination.persistentStoreCoordinator = destination
  }

  /// A context without stores, of the thread that migrates.
  static func emptyContext() -> NSManagedObjectContext {
    NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
  }

  func forget() { (associations, names) = ([:], []) }

  func associate(_ source: NSManagedObject, _ destination: NSManagedObject, _ mapping: String) {
    if associations[mapping] == nil { names.append(mapping) }
    var made = associations.removeValue(forKey: mapping) ?? Associations()
    let position = made.destinations.count
    made.destinations.append(destination)
    made.sources.append(source.objectID)
    made.bySource[source.objectID, default: []].append(position)
    made.byDestination[ObjectIdentifier(destination), default: []].append(position)
    associations[mapping] = made
  }

  func destinations(_ mapping: String, of sources: [NSManagedObject]?) -> [NSManagedObject] {
    guard let made = associations[mapping] else { return [] }
    guard let sources else { return Self.distinct(made.destinations) }
    return Self.distinct(sources.flatMap { made.bySource[$0.objectID] ?? [] }.map { made.destinations[$0] })
  }

  /// The objects that all mappings made of a source.
  func destinations(of source: NSManagedObject) -> [NSManagedObject] {
    Self.distinct(names.flatMap { destinations($0, of: [source]) })
  }

  func sources(_ mapping: String, of destinations: [NSManagedObject]?) -> [NSManagedObject] {
    guard let made = associations[mapping] else { return [] }
    let positions = destinations.map { $0.flatMap { made.byDestination[ObjectIdentifier($0)] ?? [] } }
    let found = (positions ?? Array(made.sources.indices)).compactMap { made.sources[$0] }
    return Self.distinct(found.map { source.object(with: $0) })
  }

  private static func distinct(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

extension NSMigrationManager {
  /// The objects that all mappings made of a source.
  final func destinationInstances(of source: NSManagedObject) -> [NSManagedObject] {
    objects?.destinations(of: source) ?? []
  }
}
