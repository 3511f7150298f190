import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStore

/// Actions of the system's sharing screen on a device, and notifications of programs about them ([share-screen-1]).
extension DeviceService {
  /// Saves or deletes a share, with the rest of the request, as the system's sharing screen does; then notifies the
  /// programs of the container that run on the caller's device of the outcome for the share. Calls `untold` with the
  /// error if the notification fails: the request is done by then.
  ///
  /// - Assumption: Apple says that programs are notified of a failure that is the share's own; a request that is
  ///   refused as a whole, for example without an account, sends no notification.
  ///
  /// - Parameters:
  ///   - share: the share's record, one of the items of `request`.
  ///   - untold: called on this thread, at most once.
  /// - Returns: the results of ``RecordService/modifyRecords(_:by:)``, with the same errors.
  package func modifyShare(
    _ share: RecordIdentifier, _ request: ModifyRecordsRequest, by caller: Caller,
    untold: (ServiceError) -> Void
  ) throws(ServiceError) -> ModifyRecordsResponse {
    let response = try service.records.modifyRecords(request, by: caller)
    do {
      try report(outcome(of: share, request, response), of: share, by: caller)
    } catch {
      untold(ServiceError(describing: error))
    }
    return response
  }

  private func outcome(
    of share: RecordIdentifier, _ request: ModifyRecordsRequest, _ response: ModifyRecordsResponse
  ) -> SharingEvent.Outcome? {
    if let index = request.saves.firstIndex(where: { $0.id == share }) {
      switch response.saves[index] {
      case .success(let record): return .saved(record)
      case .failure(let error): return .notSaved(error)
      }
    }
    return request.deletes.firstIndex(of: share).map { index in
      if case .failure(let error) = response.deletes[index] { .notStopped(error) } else { .stopped }
    }
  }

  private func report(_ outcome: SharingEvent.Outcome?, of share: RecordIdentifier, by caller: Caller) throws {
    guard let outcome else { return }
    let account = try service.accounts.account(of: caller)
    let log = try SharingLog(of: caller.device(of: account), in: cloud)
    guard try log.isWanted() else { return }
    let event = SharingEvent(outcome, of: share, by: account.userRecordName, caller, at: try settings.clock())
    try log.append(event.object, waitPolicy(caller))
  }

  /// Whether programs that act as the caller are notified of an event. Events of an account that was signed in before
  /// are not theirs.
  package func isNotified(_ caller: Caller, of event: SharingEvent) -> Bool {
    event.container == caller.container && event.environment == caller.environment
      && event.userRecordName == service.accounts.ownName(of: caller)
  }
}
