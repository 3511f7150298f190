import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage

/// One record to import, and its position in the imported data.
@dynamicMemberLookup
struct ImportedRecord {
  var position: ImportPosition
  var content: PortableRecord

  subscript<Value>(dynamicMember member: KeyPath<PortableRecord, Value>) -> Value { content[keyPath: member] }
}

extension PortableProblem {
  /// The problem of a line that is not JSON. It omits the error's own line number, because the file's line number is
  /// shown.
  init(_ error: JSONError) { self.init("column \(error.column): \(error.message)") }

  func text(at position: ImportPosition) -> String {
    let near = key.flatMap { WordSuggestion.nearest(to: $0, among: known) }
    let meant = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return position.description + (key.map { ", key \($0): " } ?? (message.hasPrefix("column") ? ", " : ": ")) + message
      + meant
  }
}

/// Records of one zone that one request imports, and the present state of these records in the cloud.
struct ImportBatch {
  /// The action for one record.
  enum Decision {
    case save(RecordSave, isNew: Bool)
    case unchanged
    case skipped
  }

  struct Step {
    var record: ImportedRecord
    var decision: Decision
    var invited = 0
    var leftOut: [String] = []
  }

  let target: ZoneTarget
  let policy: ImportPolicy
  let records: [ImportedRecord]
  /// The existing records by name. Records that are only needed by others are fetched without their fields.
  private(set) var present: [ExactName: Record] = [:]

  /// Fetches the records' present state. `isAbsent`: the zone does not exist yet.
  init(_ records: [ImportedRecord], in target: ZoneTarget, _ policy: ImportPolicy, isAbsent: Bool) throws {
    self.target = target
    self.policy = policy
    self.records = records
    if isAbsent { return }
    let names = records.map(\.name)
    // Records may be large, so only a few are fetched at a time.
    try fetch(names, by: 50, keys: nil)
    try fetch(Array(Set(records.flatMap(\.needs)).subtracting(names)).sorted(), by: 400, keys: [])
  }

  private mutating func fetch(_ names: [ExactName], by count: Int, keys: [String]?) throws {
    for part in names.chunks(of: count) {
      let request = FetchRecordsRequest(
        scope: target.scope, records: part.map { RecordIdentifier(name: $0, zone: target.zone) }, desiredKeys: keys)
      for (name, result) in zip(part, try target.service.records.fetchRecords(request, by: target.caller)) {
        do {
          present[name] = try result.get()
        } catch {
          guard error.code == .unknownItem else { throw error }
        }
      }
    }
  }

  // MARK: Order

  /// Separates the records that can be saved now from those that have to wait. A record waits if it needs a record that
  /// neither exists nor is in the batch, or that waits itself.
  ///
  /// In one request the order does not matter ([record-parent-1]), so a need within the batch is met if the needs of
  /// that record are. The service refuses a cycle.
  func sorted(
    isThere: (ExactName) -> Bool
  ) -> (ready: [ImportedRecord], waiting: [(record: ImportedRecord, need: ExactName)]) {
    let needs = Dictionary(records.map { ($0.name, $0.needs) }, uniquingKeysWith: { first, _ in first })
    var waiting: [ExactName: ExactName] = [:]
    var rest = needs.keys.sorted()
    while true {
      let count = waiting.count
      for name in rest {
        waiting[name] = needs[name]?.first { need in
          needs[need] == nil ? present[need] == nil && !isThere(need) : waiting[need] != nil
        }
      }
      if waiting.count == count { break }
      rest.removeAll { waiting[$0] != nil }
    }
    return (
      records.filter { waiting[$0.name] == nil },
      records.compactMap { record in waiting[record.name].map { (record, $0) } }
    )
  }

  // MARK: Decisions

  func step(_ record: ImportedRecord) throws -> Step {
    let present = present[record.name]
    var save = RecordSave(
      id: target.record(record.name.string), type: record.type, changeTag: present?.changeTag,
      fields: changed(record.fields, from: present?.fields), parent: parent(of: record, present))
    save.encryptedFields = changed(record.encryptedFields, from: present?.encryptedFields)
    if policy == .replace, let present { addRemovals(record, present, to: &save) }
    var step = Step(record: record, decision: .unchanged)
    let isShareChanged = try addShare(record, present, to: &save, &step)
    if let present, present.type == record.type, save.fields.isEmpty, save.encryptedFields.isEmpty,
      save.parent == .keep, !isShareChanged
    {
      return step
    }
    if let present {
      switch policy {
      case .skip: return Step(record: record, decision: .skipped)
      case .fail: throw ServiceError.isThere(present)
      case .update, .replace: break
      }
    }
    step.decision = .save(save, isNew: present == nil)
    return step
  }

  private func changed(
    _ fields: [String: FieldValue?], from present: [String: FieldValue]?
  ) -> [String: FieldValue?] {
    fields.filter { key, value in
      switch (value, present?[key]) {
      case (nil, nil): false
      case (let value?, let present?): !value.hasSameContent(as: present)
      default: true
      }
    }
  }

  private func parent(of record: ImportedRecord, _ present: Record?) -> ParentEdit {
    switch record.parent {
    case .set(let parent, _): present?.parent == parent ? .keep : record.parent
    case .clear: present?.parent == nil ? .keep : .clear
    case .keep: policy == .replace && present?.parent != nil ? .clear : .keep
    }
  }

  private func addRemovals(_ record: ImportedRecord, _ present: Record, to save: inout RecordSave) {
    for key in present.fields.keys where record.fields[key] == nil && record.encryptedFields[key] == nil {
      save.fields.updateValue(nil, forKey: key)
    }
    for key in present.encryptedFields.keys where record.fields[key] == nil && record.encryptedFields[key] == nil {
      save.encryptedFields.updateValue(nil, forKey: key)
    }
  }

  private func addShare(
    _ record: ImportedRecord, _ present: Record?, to save: inout RecordSave, _ step: inout Step
  ) throws -> Bool {
    guard let share = record.share else { return false }
    let edit = try ShareImport(share, present?.shareDetails, target, policy)
    save.share = edit.save
    step.invited = edit.invited
    step.leftOut = edit.leftOut
    return edit.isChanged
  }

  /// The root record that has to be saved together with a new share, if the batch does not save it already
  /// ([share-create-1]).
  func root(of save: RecordSave, besides saves: [RecordSave]) -> RecordSave? {
    guard save.changeTag == nil, let root = save.share?.root, !saves.contains(where: { $0.id.name == root }),
      let record = present[root]
    else { return nil }
    return RecordSave(id: target.record(root.string), type: record.type, changeTag: record.changeTag)
  }
}

extension ServiceError {
  fileprivate static func isThere(_ record: Record) -> ServiceError {
    ServiceError(
      .serverRecordChanged, "the record '\(record.id.name)' is there already, and differs", internalCode: 2004,
      hint: "--policy update, replace or skip says what is to become of it", serverRecord: record)
  }
}
