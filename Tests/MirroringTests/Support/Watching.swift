import LocalCloudObjectStore
import Synchronization

@testable import LocalCloudCoreDataMirroring

/// A list of events in the order of their arrival.
final class EventList: Sendable {
  private let events = Mutex<[MirroringEvent]>([])

  func add(_ event: MirroringEvent) { events.withLock { $0.append(event) } }
  var all: [MirroringEvent] { events.withLock { $0 } }
}

/// Reports whether an engine's thread still retains its worker.
final class WeakWorker: Sendable {
  private struct Box {
    weak var worker: MirroringWorker?
  }

  private let box = Mutex(Box())

  func observe(_ engine: MirroringEngine) { box.withLock { $0.worker = engine.worker } }
  var isReleased: Bool { box.withLock { $0.worker == nil } }
}
