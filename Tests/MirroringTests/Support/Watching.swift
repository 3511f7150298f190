import LocalCloudObjectStore
import Synchronization

@testable import CoreData

/// Events as they come.
final class EventList: Sendable {
  private let events = Mutex<[MirroringEvent]>([])

  func add(_ event: MirroringEvent) { events.withLock { $0.append(event) } }
  var all: [MirroringEvent] { events.withLock { $0 } }
}

/// Tells whether the thread of an engine still holds its worker.
final class WeakWorker: Sendable {
  private struct Box {
    weak var worker: MirroringWorker?
  }

  private let box = Mutex(Box())

  func take(_ engine: MirroringEngine) { box.withLock { $0.worker = engine.worker } }
  var isGone: Bool { box.withLock { $0.worker == nil } }
}
