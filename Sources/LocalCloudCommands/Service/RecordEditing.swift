import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The options for the parent of a record.
struct ParentOptions: OptionGroup {
  let parent = Option<String>(
    "parent", "NAME", excludes: ["no-parent"], completes: .record, help: "the record above it, in the same zone")
  let noParent = Flag("no-parent", help: "take it away from its parent")

  var options: [any OptionDeclaration] { [parent, noParent] }

  func apply(to save: inout RecordSave, _ context: CommandContext) {
    if let parent = context[parent] { save.parent = .set(ExactName(parent), zone: nil) }
    if context[noParent] { save.parent = .clear }
  }
}

extension FieldOptions {
  /// A save of the fields that the command line gives.
  /// - Parameter words: the values of ``argument``.
  func save(
    _ record: RecordIdentifier, type: String, tag: String?, _ words: [String], _ context: CommandContext
  ) throws -> RecordSave {
    let fields = try fields(words, context)
    var save = RecordSave(
      id: record, type: type, changeTag: tag, fields: try fields.values(assetFiles: assetFiles(context)))
    save.encryptedFields = try fields.encryptedValues()
    return save
  }
}

extension ZoneTarget {
  /// The line about a saved record. `verb`: the action.
  func text(of record: Record, _ verb: String) -> StyledText {
    "\(verb) \(record.type) \(record.id.name, .bold) in zone \(zone.name), tag \(record.changeTag)"
  }

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
