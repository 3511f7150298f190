import Platform
import Storage

/// What a commit does outside its zone's own files once it is committed: pushes, and subscriptions that end.
extension ZoneFolder {
  /// Hands the entry's pushes to the devices. `isReplay`: it may have been done before, wholly or in part.
  ///
  /// A device whose log is damaged, or not there to be made, misses its pushes; `check` tells of it. It must not keep
  /// people from the zone.
  func deliver(_ entry: JournalEntry, isReplay: Bool = false, _ patience: LockWaitPolicy) throws {
    let (pushes, withdrawals) = (entry.pushes, entry.withdrawals)
    if pushes.isEmpty, withdrawals.isEmpty { return }
    var lines: [String: [JSONObject]] = [:]
    var claims: [(folder: SubscriptionFolder, mark: PushMark)] = []
    for push in pushes {
      if let once = push.once, let mark = PushMark(push.line["commit"]) {
        guard let folder = try folder(of: once),
          try sparing({ try folder.claim(once, for: mark, patience) }) == true
        else { continue }
        claims.append((folder, mark))
      }
      for device in push.devices { lines[device, default: []].append(push.line) }
    }
    for (device, lines) in lines.sorted(by: { $0.key < $1.key }) {
      try sparing {
        let log = PushLog(of: device, in: try root.directory(Inbox.devices), limits: limits)
        try log.append(lines, isReplay: isReplay, patience)
        // Only then the claim may go: it is what says that they are still to be handed out.
        if !claims.isEmpty { try log.sync() }
      }
    }
    for (folder, mark) in claims { try folder.end(claimFor: mark) }
    for withdrawal in withdrawals {
      try sparing { try folder(of: withdrawal)?.withdraw(withdrawal, patience) }
    }
  }

  private func folder(of reference: SubscriptionReference) throws -> SubscriptionFolder? {
    try container.directory(at: reference.file.components.dropLast()).map { SubscriptionFolder($0) }
  }

  @discardableResult
  private func sparing<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch StorageError.damaged {
      return nil
    } catch let error as SystemError where error.isForeign || error.isMissing {
      return nil
    }
  }
}
