import CloudKit

extension Performer {
  /// The record as the step describes it.
  func record(_ spec: Step.RecordToSave, _ step: Step) throws -> CKRecord {
    let id = try recordID(spec.name, step, in: spec.zone)
    let record =
      if let name = spec.from { try self.record(stored: name) } else {
        CKRecord(recordType: spec.type ?? "ParityItem", recordID: id)
      }
    guard record.recordID == id else { throw ParityError("the stored record is not \(Answer.name(id))") }
    for (key, value) in (spec.fields ?? [:]).sorted(by: { $0.key < $1.key }) {
      record.setObject(try value.value(in: id.zoneID, file: file), forKey: key)
    }
    if let parent = spec.parent { record.setParent(CKRecord.ID(recordName: parent, zoneID: id.zoneID)) }
    return record
  }

  func modify(_ request: Step.Modify, _ step: Step) async throws -> JSON {
    let saves = try (request.save ?? []).map { try record($0, step) }
    let deletes = try (request.delete ?? []).map { try recordID($0, step) }
    let operation = CKModifyRecordsOperation(recordsToSave: saves, recordIDsToDelete: deletes)
    operation.savePolicy = policy(request.policy)
    operation.isAtomic = request.atomic ?? true
    let style = request.style ?? .blocks
    let events =
      if style == .function { await callFunction(operation, step) } else {
        await modify(operation, step, isCompletion: style == .completion)
      }
    for (spec, record) in zip(request.save ?? [], saves) {
      keep(events.record(record.recordID), as: spec.keep)
      keep(events.serverRecord(record.recordID), as: spec.keepServerRecord)
    }
    return events.answer()
  }

  private func policy(_ policy: Step.Modify.Policy?) -> CKModifyRecordsOperation.RecordSavePolicy {
    switch policy ?? .ifServerRecordUnchanged {
    case .ifServerRecordUnchanged: .ifServerRecordUnchanged
    case .changedKeys: .changedKeys
    case .allKeys: .allKeys
    }
  }

  /// - Parameter isCompletion: the deprecated completion block instead of the blocks of today.
  func modify(_ operation: CKModifyRecordsOperation, _ step: Step, isCompletion: Bool = false) async -> Events {
    let events = Events()
    await run(operation, step) { end in
      if isCompletion {
        let style: any CompletionStyle = operation
        style.setCompletion { error in
          events.finish(error.map { .failure($0) } ?? .success(()))
          end()
        }
        return
      }
      operation.perRecordSaveBlock = { events.add("save", $0, $1) }
      operation.perRecordDeleteBlock = { events.add("delete", Answer.name($0), $1) }
      operation.modifyRecordsResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events
  }

  private func callFunction(_ operation: CKModifyRecordsOperation, _ step: Step) async -> Events {
    let events = Events()
    do {
      let results = try await database(step).modifyRecords(
        saving: operation.recordsToSave ?? [], deleting: operation.recordIDsToDelete ?? [],
        savePolicy: operation.savePolicy, atomically: operation.isAtomic)
      for (id, result) in results.saveResults { events.add("save", id, result) }
      for (id, result) in results.deleteResults { events.add("delete", Answer.name(id), result) }
      events.finish(.success(()))
    } catch {
      events.finish(.failure(error))
    }
    return events
  }

  func fetch(_ request: Step.Fetch, _ step: Step) async throws -> JSON {
    let operation = CKFetchRecordsOperation(recordIDs: try request.records.map { try recordID($0, step) })
    operation.desiredKeys = request.keys
    let events = await fetch(operation, step)
    for (name, key) in request.keep ?? [:] { keep(events.record(try recordID(name, step)), as: key) }
    return events.answer()
  }

  func userRecord(_ step: Step) async -> JSON {
    await fetch(CKFetchRecordsOperation.fetchCurrentUserRecordOperation(), step).answer()
  }

  private func fetch(_ operation: CKFetchRecordsOperation, _ step: Step) async -> Events {
    let events = Events()
    await run(operation, step) { end in
      operation.perRecordResultBlock = { events.add("fetch", $0, $1) }
      operation.fetchRecordsResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events
  }
}

/// Sets a deprecated block. A call through a protocol makes no warning.
protocol CompletionStyle {
  func setCompletion(_ completion: @escaping @Sendable ((any Error)?) -> Void)
}

extension CKModifyRecordsOperation: CompletionStyle {
  @available(*, deprecated)
  func setCompletion(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
    modifyRecordsCompletionBlock = { _, _, error in completion(error) }
  }
}
