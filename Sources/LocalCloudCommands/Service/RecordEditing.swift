import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Options that are common to the commands that write one record.
enum RecordEditing {
  static let parent: [OptionDescription] = [
    .value("parent", "NAME", help: "the record above it, in the same zone"),
    .flag("no-parent", help: "take it away from its parent"),
  ]
  static let exclusiveOptions = [FieldArguments.exclusiveOptions, ["parent", "no-parent"]]
}

extension CommandContext {
  /// The save that the fields and options specify.
  func recordSave(_ name: ExactName, type: String, in target: ZoneTarget, tag: String?) throws -> RecordSave {
    let fields = try fields()
    var save = RecordSave(
      id: RecordIdentifier(name: name, zone: target.zone), type: type, changeTag: tag,
      fields: try fields.values(assetFiles: assetFiles()))
    save.encryptedFields = try fields.encryptedValues()
    if let parent = string("parent") { save.parent = .set(ExactName(parent), zone: nil) }
    if flag("no-parent") { save.parent = .clear }
    return save
  }

  /// Updates fields and the parent of an existing record. `tag` is the change tag of the edited version; nil means the
  /// current one.
  func updateRecord(_ name: ExactName, type: String?, in target: ZoneTarget, tag: String?, policy: SavePolicy) throws
    -> Record
  {
    // No fields are fetched, so that a value that can't be read can be replaced.
    let found = try target.fetch(name, keys: [])
    return try target.save(
      recordSave(name, type: type ?? found.type, in: target, tag: tag ?? found.changeTag), policy: policy)
  }

  func report(saved record: Record, in target: ZoneTarget, as verb: String) throws {
    try report(
      record.object,
      text: "\(verb) \(record.type) \(record.id.name, .bold) in zone \(target.zone.name), tag \(record.changeTag)")
  }
}

extension ZoneTarget {
  func save(
    _ save: RecordSave, policy: SavePolicy = .ifServerRecordUnchanged, makingTypes: Bool = true
  ) throws(ServiceError) -> Record {
    var request = ModifyRecordsRequest(scope: scope, saves: [save], policy: policy)
    request.makesTypes = makingTypes
    do throws(ServiceError) {
      return try service.records.modifyRecords(request, by: caller).saves[0].get()
    } catch {
      var error = located(error)
      if error.cause == .schema, error.hint == nil { error.hint = FieldTypeHint.text(for: save, in: self) }
      throw error
    }
  }
}
