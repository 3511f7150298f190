import CloudKit

extension Performer {
  func make(_ request: Step.MakeShare, _ step: Step) async throws -> JSON {
    let share: CKShare
    var saves: [CKRecord] = []
    if let name = request.root {
      let root = try record(stored: name)
      share =
        if let name = request.name {
          CKShare(rootRecord: root, shareID: CKRecord.ID(recordName: name, zoneID: root.recordID.zoneID))
        } else { CKShare(rootRecord: root) }
      if request.savesRoot ?? true { saves.append(root) }
    } else {
      share = CKShare(recordZoneID: try zoneID(step.zone, step))
    }
    if let title = request.title { share.setObject(NSString(string: title), forKey: CKShare.SystemFieldKey.title) }
    for user in request.participants ?? [] {
      let id = CKRecord.ID(recordName: try text("user \(user)"))
      let participant = try await container.shareParticipant(forUserRecordID: id)
      participant.permission = .readWrite
      share.addParticipant(participant)
    }
    switch request.permission ?? .none {
    case .none: break
    case .readOnly: share.publicPermission = .readOnly
    case .readWrite: share.publicPermission = .readWrite
    }
    saves.append(share)
    let operation = CKModifyRecordsOperation(recordsToSave: saves, recordIDsToDelete: nil)
    let events = await modify(operation, step)
    if let name = request.link, let saved = events.record(share.recordID) as? CKShare, let url = saved.url {
      texts["url \(name)"] = url.absoluteString
    }
    return events.answer()
  }

  /// The metadata of a link, with the root record.
  private func fetchMetadata(_ request: Step.Link) async throws -> Events {
    guard let url = URL(string: try text("url \(request.link)")) else { throw ParityError("the link is no URL") }
    let operation = CKFetchShareMetadataOperation(shareURLs: [url])
    operation.shouldFetchRootRecord = true
    let events = Events()
    await run(operation, container.add) { end in
      operation.perShareMetadataResultBlock = { url, result in
        events.set(metadata: try? result.get())
        events.add("metadata", url.absoluteString, result, Answer.metadata)
      }
      operation.fetchShareMetadataResultBlock = {
        events.finish($0)
        end()
      }
    }
    return events
  }

  func metadata(_ request: Step.Link) async throws -> JSON { try await fetchMetadata(request).answer() }

  /// Accepts the share of a link. Without metadata its error is the answer.
  func accept(_ request: Step.Link) async throws -> JSON {
    let events = try await fetchMetadata(request)
    guard let metadata = events.lastMetadata else { return events.answer() }
    let operation = CKAcceptSharesOperation(shareMetadatas: [metadata])
    let accepted = Events()
    await run(operation, container.add) { end in
      operation.perShareResultBlock = { _, result in accepted.add("accept", "share", result, Answer.record) }
      operation.acceptSharesResultBlock = {
        accepted.finish($0)
        end()
      }
    }
    return accepted.answer()
  }
}
