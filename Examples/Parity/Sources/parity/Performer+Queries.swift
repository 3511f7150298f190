import CloudKit

extension Performer {
  /// Runs the query; again every two seconds while the matches are not those that the step expects of indexes that are
  /// up to date, until the timeout. With a timeout of 0 it runs once.
  func find(_ request: Step.Query, _ step: Step) async throws -> JSON {
    let end = ContinuousClock.now + .seconds(queryTimeout)
    while true {
      let events = try await findOnce(request, step)
      if let count = request.until, events.count != count, ContinuousClock.now < end {
        try await Task.sleep(for: .seconds(2))
        continue
      }
      if let name = request.keepCursor { cursors[name] = events.lastCursor }
      let isOrdered = request.sort != nil || request.cursor != nil
      return events.answer(isOrdered: isOrdered, ["hasCursor": .bool(events.lastCursor != nil)])
    }
  }

  private func findOnce(_ request: Step.Query, _ step: Step) async throws -> Events {
    let operation = try self.operation(request, step)
    operation.desiredKeys = request.keys
    if let limit = request.limit { operation.resultsLimit = limit }
    let events = Events()
    await run(operation, step) { end in
      operation.recordMatchedBlock = { events.add("match", $0, $1) }
      operation.queryResultBlock = { result in
        events.set(token: nil, cursor: (try? result.get()) ?? nil)
        events.finish(result.map { _ in })
        end()
      }
    }
    return events
  }

  private func operation(_ request: Step.Query, _ step: Step) throws -> CKQueryOperation {
    if let name = request.cursor {
      guard let cursor = cursors[name] else { throw ParityError("no step has stored the cursor \(name)") }
      return CKQueryOperation(cursor: cursor)
    }
    let zone = try zoneID(step.zone, step)
    let arguments = try (request.arguments ?? []).map { argument -> any CKRecordValue in
      guard let value = try argument.value(in: zone, file: file) else { throw ParityError("an argument is null") }
      return value
    }
    let predicate = NSPredicate(format: request.predicate ?? "TRUEPREDICATE", argumentArray: arguments)
    let query = CKQuery(recordType: request.type ?? "ParityItem", predicate: predicate)
    query.sortDescriptors = request.sort?.map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
    let operation = CKQueryOperation(query: query)
    operation.zoneID = zone
    return operation
  }
}
