import CloudKit

extension Performer {
  func modify(_ request: Step.ModifyZones, _ step: Step) async throws -> JSON {
    let events = Events()
    let operation = CKModifyRecordZonesOperation(
      recordZonesToSave: try (request.save ?? []).map { CKRecordZone(zoneID: try zoneID($0, step)) },
      recordZoneIDsToDelete: try (request.delete ?? []).map { try zoneID($0, step) })
    await run(operation, step) { end in
      operation.perRecordZoneSaveBlock = { events.add("save", Answer.name($0), $1, Answer.zone) }
      operation.perRecordZoneDeleteBlock = { events.add("delete", Answer.name($0), $1) }
      operation.modifyRecordZonesResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events.answer()
  }

  func fetch(_ request: Step.FetchZones, _ step: Step) async throws -> JSON {
    let events = Events()
    let operation =
      if let ids = request.ids {
        CKFetchRecordZonesOperation(recordZoneIDs: try ids.map { try zoneID($0, step) })
      } else { CKFetchRecordZonesOperation.fetchAllRecordZonesOperation() }
    await run(operation, step) { end in
      operation.perRecordZoneResultBlock = { events.add("fetch", Answer.name($0), $1, Answer.zone) }
      operation.fetchRecordZonesResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events.answer()
  }

  private func token(_ name: String?) throws -> CKServerChangeToken? {
    guard let name else { return nil }
    guard let token = tokens[name] else { throw ParityError("no step has stored the token \(name)") }
    return token
  }

  func zoneChanges(_ request: Step.Changes, _ step: Step) async throws -> JSON {
    let zone = try zoneID(step.zone, step)
    let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
      previousServerChangeToken: try token(request.since), resultsLimit: request.limit, desiredKeys: request.keys)
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zone], configurationsByRecordZoneID: [zone: configuration])
    operation.fetchAllChanges = !(request.once ?? false)
    let events = Events()
    await run(operation, step) { end in
      operation.recordWasChangedBlock = { events.add("changed", $0, $1) }
      operation.recordWithIDWasDeletedBlock = { id, type in
        events.add("deleted", Answer.name(id), .success(type)) { .text($0) }
      }
      operation.recordZoneChangeTokensUpdatedBlock = { _, _, _ in events.note(callback: "token") }
      operation.recordZoneFetchResultBlock = { id, result in
        events.set(token: try? result.get().serverChangeToken)
        events.add("zone", Answer.name(id), result, callback: "zone") {
          .of(["token": Answer.token($0.serverChangeToken), "moreComing": .bool($0.moreComing)])
        }
      }
      operation.fetchRecordZoneChangesResultBlock = {
        events.finish($0)
        end()
      }
    }
    if let name = request.keep { tokens[name] = events.lastToken }
    return events.answer()
  }

  func databaseChanges(_ request: Step.Changes, _ step: Step) async throws -> JSON {
    let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: try token(request.since))
    if let limit = request.limit { operation.resultsLimit = limit }
    operation.fetchAllChanges = !(request.once ?? false)
    let events = Events()
    await run(operation, step) { end in
      operation.recordZoneWithIDChangedBlock = { events.add("changed", Answer.name($0), .success(())) }
      operation.recordZoneWithIDWasDeletedBlock = { events.add("deleted", Answer.name($0), .success(())) }
      operation.recordZoneWithIDWasPurgedBlock = { events.add("purged", Answer.name($0), .success(())) }
      operation.changeTokenUpdatedBlock = { _ in events.note(callback: "token") }
      operation.fetchDatabaseChangesResultBlock = { result in
        events.set(token: try? result.get().serverChangeToken)
        events.finish(result.map { _ in })
        end()
      }
    }
    if let name = request.keep { tokens[name] = events.lastToken }
    return events.answer(["token": events.lastToken.map(Answer.token)])
  }

  func modify(_ request: Step.ModifySubscriptions, _ step: Step) async throws -> JSON {
    let operation = CKModifySubscriptionsOperation(
      subscriptionsToSave: try (request.save ?? []).map { try subscription($0, step) },
      subscriptionIDsToDelete: request.delete ?? [])
    let events = Events()
    await run(operation, step) { end in
      operation.perSubscriptionSaveBlock = { events.add("save", $0, $1, Answer.subscription) }
      operation.perSubscriptionDeleteBlock = { events.add("delete", $0, $1) }
      operation.modifySubscriptionsResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events.answer()
  }

  private func subscription(_ spec: Step.Subscription, _ step: Step) throws -> CKSubscription {
    let subscription: CKSubscription
    if let type = spec.type {
      let query = CKQuerySubscription(
        recordType: type, predicate: NSPredicate(format: spec.predicate ?? "TRUEPREDICATE", argumentArray: nil),
        subscriptionID: spec.id, options: [.firesOnRecordCreation])
      query.zoneID = try spec.zone.map { try zoneID($0, step) }
      subscription = query
    } else if let zone = spec.zone {
      subscription = CKRecordZoneSubscription(zoneID: try zoneID(zone, step), subscriptionID: spec.id)
    } else {
      subscription = CKDatabaseSubscription(subscriptionID: spec.id)
    }
    // Without it the service has nothing to send, and refuses the subscription.
    let info = CKSubscription.NotificationInfo()
    info.shouldSendContentAvailable = true
    subscription.notificationInfo = info
    return subscription
  }

  func fetch(_ request: Step.FetchSubscriptions, _ step: Step) async -> JSON {
    let operation =
      if let ids = request.ids { CKFetchSubscriptionsOperation(subscriptionIDs: ids) } else {
        CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
      }
    let events = Events()
    await run(operation, step) { end in
      operation.perSubscriptionResultBlock = { events.add("fetch", $0, $1, Answer.subscription) }
      operation.fetchSubscriptionsResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events.answer()
  }
}
