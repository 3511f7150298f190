import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct RecordSaveCommand: Command {
  static let description = CommandDescription(
    "record", "save", summary: "Save a record",
    discussion: """
      Saves the fields that are named; others that the record has stay. Without --tag the record counts as new, made on \
      this device: if there is one of that name already, iCloud answers serverRecordChanged, and the exit code is 14. \
      --tag says which version was edited; --policy changed or all does not ask. "record update" changes a record that \
      is there without asking for its type and tag.
      """,
    examples: [
      .init("A new record", "localcloud record save Contact --zone Contacts --name ada name=Ada age:int64=36"),
      .init(
        "With a value that only its owner and participants can read",
        "localcloud record save Contact --zone Contacts --name eve note:encrypted='knows too much'"),
      .init(
        "Change a field of it, if nobody was faster",
        "localcloud record save Contact --zone Contacts --name ada --tag 4 age:int64=37"),
      .init(
        "In a zone that somebody shares with me",
        "localcloud record save Phone --database shared --zone Contacts --parent ada number=12345"),
      .init("With a file", "localcloud record save Photo --zone Album image:asset=holiday.jpg"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused, .unsupported],
    unknownOptionHints: [
      "update": "a record that is there is changed by: localcloud record update NAME FIELD=VALUE"
    ])

  let type = Argument<String>.recordType
  let field = FieldOptions.argument
  let name = Option<String>(
    "name", "NAME", short: "n", aliases: ["record-name"], completes: .record, help: "the record's name; else a new UUID"
  )
  let zone = ZoneOptions()
  let parent = ParentOptions()
  let tag = Option<String>("tag", "TAG", help: "the change tag of the version that was edited")
  let policy = Option<SavePolicy>(
    "policy", "POLICY", .words(["unchanged": .ifServerRecordUnchanged, "changed": .changedKeys, "all": .allKeys]),
    help: "unchanged refuses to save over somebody else's change; changed and all save anyway")
  let fields = FieldOptions()

  var arguments: [any ArgumentDeclaration] { [type, field] }
  var options: [any OptionDeclaration] {
    [name] + zone.options + parent.options + [tag, policy] + fields.options
  }

  func run(_ context: CommandContext) throws {
    let target = try zone.target(context)
    let policy = context[self.policy] ?? .ifServerRecordUnchanged
    let name = context[self.name].map { ExactName($0) }
    let record = RecordIdentifier(name: name ?? target.session.newRecordName(), zone: target.zone)
    var save = try fields.save(record, type: context[type], tag: context[tag], context[field], context)
    parent.apply(to: &save, context)
    let saved = try target.save(save, policy: policy)
    try context.writeResult(made: [saved.id.name.string], saved.object, text: target.text(of: saved, "saved"))
  }
}

struct RecordUpdateCommand: Command {
  static let description = CommandDescription(
    "record", "update", summary: "Change fields of a record that is there",
    discussion: """
      Other fields stay, and so does the record's type. If there is no such record, iCloud answers unknownItem, and the exit \
      code is 13. The version that is found counts as the one that was edited; --if-tag names another, and where the record \
      has changed since then nothing is written, and the exit code is 14.
      """,
    examples: [
      .init("One field", "localcloud record update ada --zone Contacts age:int64=37"),
      .init("Only if nobody was faster", "localcloud record update ada --zone Contacts --if-tag 4 age:int64=37"),
      .init("Take a field away", "localcloud record update ada --zone Contacts age:null="),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused, .schemaRefused])

  let name = Argument<String>("name", completes: .record, help: "the record's name")
  let field = FieldOptions.argument
  let zone = ZoneOptions()
  let parent = ParentOptions()
  let tag = Option<String>("if-tag", "TAG", help: "the change tag of the version that was edited")
  let fields = FieldOptions()

  var arguments: [any ArgumentDeclaration] { [name, field] }
  var options: [any OptionDeclaration] { zone.options + parent.options + [tag] + fields.options }

  func run(_ context: CommandContext) throws {
    let changes = fields.sources + parent.options
    guard !context[field].isEmpty || changes.contains(where: context.isGiven) else {
      throw CommandFailure.usage("there is nothing to change: name a field, --parent or --no-parent")
    }
    let target = try zone.target(context)
    // No fields are fetched, so that a value that can't be read can be replaced.
    let found = try target.fetch(ExactName(context[name]), keys: [])
    let record = RecordIdentifier(name: ExactName(context[name]), zone: target.zone)
    var save = try fields.save(
      record, type: found.type, tag: context[tag] ?? found.changeTag, context[field], context)
    parent.apply(to: &save, context)
    let saved = try target.save(save)
    try context.writeUnlessQuiet(saved.object, text: target.text(of: saved, "updated"))
  }
}

struct RecordDeleteCommand: Command {
  static let description = CommandDescription(
    "record", "delete", summary: "Delete records",
    discussion: """
      All or none of them, in a zone of one's own making. As with iCloud, deleting a record that does not exist is no \
      error: the result names such records, with --json by "deleted": false. Records that refer to a deleted one by \
      deleteSelf are deleted with it; --dry-run does not list those.
      """,
    examples: [.init("Two records", "localcloud record delete ada bob --zone Contacts")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused], deletesData: true)

  let names = ArgumentList<String>("name", completes: .record, help: "the records' names")
  let zone = ZoneOptions()
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [names] }
  var options: [any OptionDeclaration] { zone.options + [dryRun] }

  func run(_ context: CommandContext) throws {
    let target = try zone.target(context)
    let names = context[self.names]
    let outcomes = Outcomes(
      try context.isDryRun ? find(names, in: target) : delete(names, in: target), names: names)
    let (deleted, absent) = (outcomes.values.filter(\.isDeleted), outcomes.values.filter { !$0.isDeleted })
    if !outcomes.values.isEmpty {
      let document: JSONObject = [
        "records": .array(outcomes.values.map { ["deleted": .bool($0.isDeleted), "recordName": .string($0.name)] })
      ]
      if context.isDryRun {
        let names = deleted.isEmpty ? "nothing" : deleted.map(\.name).joined(separator: ", ")
        try context.writeDryRun(document, text: "delete \(names, .bold)")
      } else {
        try context.writeUnlessQuiet(document, text: text(deleted.map(\.name), absent: absent.map(\.name), in: target))
      }
    }
    if !absent.isEmpty { context.output.hint("--zone names another zone, \"record list\" shows the records of a zone") }
    try outcomes.check("records")
  }

  private typealias Outcome = Result<(name: String, isDeleted: Bool), ServiceError>

  private func delete(_ names: [String], in target: ZoneTarget) throws -> [Outcome] {
    let request = ModifyRecordsRequest(scope: target.scope, deletes: names.map { target.record($0) })
    let response = try target.service.records.modifyRecords(request, by: target.caller)
    return response.deletes.enumerated().map { index, result in
      result.map { (name: names[index], isDeleted: !response.absent.contains(index)) }
    }
  }

  private func find(_ names: [String], in target: ZoneTarget) throws -> [Outcome] {
    let request = FetchRecordsRequest(scope: target.scope, records: names.map(target.record), desiredKeys: [])
    let results = try target.service.records.fetchRecords(request, by: target.caller)
    return zip(names, results).map { name, result -> Outcome in
      switch result {
      case .success: return .success((name: name, isDeleted: true))
      case .failure(let error) where error.code == .unknownItem: return .success((name: name, isDeleted: false))
      case .failure(let error): return .failure(error)
      }
    }
  }

  private func text(_ deleted: [String], absent: [String], in target: ZoneTarget) -> StyledText {
    var lines: [StyledText] = []
    if !deleted.isEmpty { lines.append("deleted \(deleted.joined(separator: ", "), .bold)") }
    if !absent.isEmpty {
      lines.append("nothing to delete in \(target.searched): \(absent.joined(separator: ", "), .bold)")
    }
    return lines.reduce(StyledText()) { $0.isEmpty ? $1 : $0 + "\n" + $1 }
  }
}
