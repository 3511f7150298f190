import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

extension FaultRunPeople {
  /// The types and fields of records that the development schema lacks.
  func strangers() throws -> [String] {
    let schema = try service.schemas.schema(by: caller("alice"))
    var problems: [String] = []
    try service.cloud.forEachDatabase(of: ExactName(TemporaryCloud.container)) { database in
      guard database.path.environment == "development", database.path.scope.first != "shared" else { return }
      for zone in try database.zones() {
        let store = try service.cloud.zone(ZonePath(database: database.path, zone: zone))
        for record in try store?.read(LockWaitPolicy(), { view in try view.allRecords().map(view.record) }) ?? [] {
          guard let record else { continue }
          guard let type = schema.types[record.type] else {
            problems.append("the schema lacks the type of \(record.name) in \(zone)")
            continue
          }
          for (key, _) in record.object["fields"]?.object ?? [:] where type.fields[key] == nil {
            problems.append("the schema lacks the field \(record.type).\(key) of \(record.name) in \(zone)")
          }
        }
      }
    }
    return problems
  }
}
