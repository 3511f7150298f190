import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The request for a zone's feed: the zone under its lock, the account, and the keys to read it with.
struct FeedContext {
  let service: CloudService
  let view: ZoneView
  let address: ZoneAddress
  let account: Account
  let caller: Caller
  let keys: ZoneKeys
  let withAssets: Bool

  /// Adds a changed record. If it can't be presented, it is added as a failure, and the other records are still
  /// reported.
  func add(_ record: StoredRecord, _ wanted: [String]?, to changes: inout ZoneChanges) {
    do {
      changes.changed.append(
        try service.records.present(record, address, to: account, keys, wanted, contentsIn: withAssets ? view : nil))
    } catch {
      let id = RecordIdentifier(name: record.name, zone: address.identifier)
      changes.failed.append(ZoneChanges.Failure(record: id, error: error))
    }
  }

  /// Adds a failure for a record with an unreadable file.
  func add(_ record: ExactName, _ error: any Error, to changes: inout ZoneChanges) {
    let id = RecordIdentifier(name: record, zone: address.identifier)
    changes.failed.append(ZoneChanges.Failure(record: id, error: ServiceError(describing: error)))
  }

  func deletion(_ record: ExactName, type: String) -> ZoneChanges.Deletion {
    ZoneChanges.Deletion(record: RecordIdentifier(name: record, zone: address.identifier), type: type)
  }
}

/// The owner's feed: the changed records of the zone since the token, each once, in its latest state.
struct ZoneFeed {
  let context: FeedContext
  private var view: ZoneView { context.view }

  init(_ context: FeedContext) { self.context = context }

  func page(_ token: OpaqueToken?, _ limit: Int, _ keys: [String]?) throws -> ZoneChanges {
    let properties = try view.properties()
    let head = try view.head()
    var start: Int64 = 0
    // For a fetch that began without a token: up to this sequence only tombstones of records that the fetching device
    // created are reported ([change-zone-2]).
    var walkEnd = head
    if let token {
      guard token["zone"]?.string == properties.incarnation else { throw try expired() }
      guard let history = token["history"]?.string, let sequence = token["sequence"]?.integer, sequence <= head,
        // A fetch without a token depends on the deletions before its begin.
        properties.includes(history, max(sequence, token["walkEnd"]?.integer ?? 0))
      else { throw ServiceError.tokenExpired }
      start = sequence
      walkEnd = token["walkEnd"]?.integer ?? 0
      guard try max(start, walkEnd) >= view.forgotten(of: nil) else { throw ServiceError.tokenExpired }
    }
    let (caller, account) = (context.caller, context.account)
    let device = caller.device(of: account)
    var changes = ZoneChanges(changed: [], deleted: [], token: "", moreComing: false)
    var reported: Set<ExactName> = []
    var position = start
    var more: Int64? = start
    while let next = more, !changes.moreComing {
      let events = try view.events(
        of: nil, after: next, goneAfter: walkEnd, madeBy: device, limit: limit - changes.count + 1)
      more = events.end
      for event in events.list {
        var stored: StoredRecord?
        var failure: (any Error)?
        do { stored = try view.record(event.record) } catch  where RecordService.concernsOneFile(error) {
          failure = error
        }
        switch event.kind {
        case .live:
          guard failure == nil ? stored?.sequence == event.sequence : !reported.contains(event.record) else { continue }
        case .gone: guard stored == nil, failure == nil, !reported.contains(event.record) else { continue }
        }
        if changes.count == limit {
          changes.moreComing = true
          break
        }
        if let failure {
          context.add(event.record, failure, to: &changes)
        } else if let stored {
          context.add(stored, keys, to: &changes)
        } else if case .gone(let type) = event.kind {
          changes.deleted.append(context.deletion(event.record, type: type))
        }
        reported.insert(event.record)
        position = event.sequence
      }
    }
    if !changes.moreComing { position = head }
    var object = context.service.feeds.tokenBase("zone", .private, account, caller)
    object["zone"] = .string(properties.incarnation)
    object["history"] = .string(properties.history.id)
    object["sequence"] = .integer(position)
    if position < walkEnd { object["walkEnd"] = .integer(walkEnd) }
    changes.token = OpaqueToken.text(object)
    return changes
  }

  /// The error for a token of a zone that was deleted and created again since.
  ///
  /// - Assumption: the error has a flag if the keys of the former zone's encrypted data were reset. Only with this flag
  ///   can a device distinguish records that no user deleted, with perhaps the only copies on the device, from records
  ///   to delete. Apple documents the flag only for missing zones.
  private func expired() throws -> ServiceError {
    var error = ServiceError.tokenExpired
    error.isEncryptedDataReset = try context.service.zones.ending(of: context.address) == .encryptedDataReset
    return error
  }
}

extension ZoneChanges {
  var count: Int { changed.count + failed.count + deleted.count }
}
