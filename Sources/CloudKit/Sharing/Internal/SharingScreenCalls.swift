import Foundation
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import Synchronization

/// The blocks of an observer, and the queue that calls them.
final class SharingScreenCalls: Sendable {
  typealias DidSave = @Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void
  typealias DidStop = @Sendable (CKRecord.ID, Result<Void, any Error>) -> Void

  private struct Blocks {
    var didSave: DidSave?
    var didStop: DidStop?
    var isOver = false
  }

  private let blocks = Mutex(Blocks())
  private let queue = DispatchQueue(label: "CKSystemSharingUIObserver")

  var didSave: DidSave? {
    get { blocks.withLock { $0.didSave } }
    set { blocks.withLock { $0.didSave = newValue } }
  }

  var didStop: DidStop? {
    get { blocks.withLock { $0.didStop } }
    set { blocks.withLock { $0.didStop = newValue } }
  }

  /// Called when the observer is released: pending calls on the queue are dropped.
  func end() {
    // The blocks are released outside the lock, because they may refer to any object.
    _ = blocks.withLock { blocks -> Blocks in
      defer { blocks = Blocks(isOver: true) }
      return blocks
    }
  }

  func call(_ event: SharingEvent, _ session: Session, _ acting: ActingIdentity) {
    let translator = Translator(ownName: session.service.accounts.ownName(of: session.caller))
    // An invalid name is damage of the cloud; `localcloud check` reports it.
    guard let shareID = try? translator.recordID(event.share) else { return }
    queue.async { [self] in
      ActingIdentity.$current.withValue(acting) { call(event.outcome, of: shareID, translator, event.container) }
    }
  }

  private func call(
    _ outcome: SharingEvent.Outcome, of shareID: CKRecord.ID, _ translator: Translator, _ container: String
  ) {
    func error(_ error: ServiceError) -> any Error {
      guard error.code == .serverRecordChanged else { return CKError.make(error, container: container) }
      let server = error.serverRecord.flatMap { try? translator.record($0) }
      return CKError.conflict(error, server: server, client: nil, ancestor: nil, container: container)
    }
    switch outcome {
    case .saved(let record):
      let share: Result<CKShare, any Error>
      do throws(ServiceError) { share = .success(try translator.share(record)) } catch {
        share = .failure(CKError.make(error, container: container))
      }
      didSave?(shareID, share)
    case .notSaved(let problem): didSave?(shareID, .failure(error(problem)))
    case .stopped: didStop?(shareID, .success(()))
    case .notStopped(let problem): didStop?(shareID, .failure(error(problem)))
    }
  }
}
