import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Repair of schemas that can't be read.
extension RepairService {
  struct SchemaProblem {
    var container: ExactName
    var environment: CloudEnvironment
    var problem: Problem
  }

  func schemaProblems() throws -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    for container in try cloud.containers() {
      for environment in CloudEnvironment.allCases {
        let file = service.schemas.schemaFile(container.string, environment)
        let problem = try service.checks.problem(file.path, "not a schema") {
          if let bytes = try file.contents() { _ = try service.schemas.parsedSchema(bytes, path: file.path) }
          return true
        }
        if let problem {
          problems.append(SchemaProblem(container: container, environment: environment, problem: problem))
        }
      }
    }
    return problems
  }

  /// Moves unreadable schemas aside and builds new ones from the environment's records. The indexes, grants and roles
  /// that a user had chosen are only in the old file.
  func repairSchemas(_ aside: Quarantine) throws -> [Problem] {
    try schemaProblems().filter { !$0.problem.isUnread }.map { found in
      let file = service.schemas.schemaFile(found.container.string, found.environment)
      let growth = try recordShapes(found.container, found.environment)
      let moved = try file.change(waitPolicy(nil), alone: true) { _ in
        guard let folder = try file.folder() else { return (nil, "") }
        let moved = try aside.move(SchemaFile.name, in: folder)
        var schema = Schema.initial
        schema.grow(growth)
        return (Array(schema.text.utf8), moved)
      }
      return Problem(
        path: file.path, text: "\(found.problem.text): it is in \(moved), and one was made of the records' fields")
    }
  }

  /// Calls `body` with all databases of an environment except the shared ones, as these hold only pointers.
  func forEachDatabaseWithZones(
    _ container: ExactName, _ environment: CloudEnvironment, _ body: (DatabaseFolder) throws -> Void
  ) throws {
    try cloud.forEachDatabase(of: container) { database in
      guard database.path.environment == environment.rawValue, database.path.scope.first != DatabaseScope.shared.name
      else { return }
      try body(database)
    }
  }

  /// The types and fields of all readable records of an environment.
  func recordShapes(_ container: ExactName, _ environment: CloudEnvironment) throws -> SchemaGrowth {
    var shapes = SchemaGrowth()
    try forEachDatabaseWithZones(container, environment) { database in
      for zone in try database.zones() {
        guard let store = try cloud.zone(ZonePath(database: database.path, zone: zone)) else { continue }
        try store.read(waitPolicy(nil)) { view in
          for name in try view.allRecords() {
            guard let record = try? view.record(name) else { continue }
            var fields = shapes.types[record.type] ?? [:]
            for (key, field) in record.object["fields"]?.object ?? [:] where fields[key] == nil {
              fields[key] = field.object.flatMap(SchemaFieldType.init(ofField:))
            }
            shapes.types[record.type] = fields
          }
        }
      }
    }
    return shapes
  }
}
