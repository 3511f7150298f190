import LocalCloudModel
import LocalCloudStorage
import Synchronization

/// All listeners of a process to the same pushes.
package final class PushListeners: Sendable {
  package struct Listener: Sendable {
    package var acting: ActingIdentity?
    package var failed: @Sendable (ServiceError) -> Void
    package var handler: @Sendable (JSONObject) async -> Void
    /// Called after another process has taken pushes, and when another cloud has replaced the listener's cloud.
    package var takenElsewhere: @Sendable () -> Void

    package init(
      acting: ActingIdentity?, failed: @escaping @Sendable (ServiceError) -> Void,
      takenElsewhere: @escaping @Sendable () -> Void = {}, handler: @escaping @Sendable (JSONObject) async -> Void
    ) {
      (self.acting, self.failed, self.handler, self.takenElsewhere) = (acting, failed, handler, takenElsewhere)
    }
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  /// Adds a listener; returns its number.
  func add(_ listener: Listener) -> Int {
    state.withLock { state in
      state.last += 1
      state.listeners[state.last] = listener
      return state.last
    }
  }

  /// Removes a listener; returns whether it was the last one.
  func remove(_ number: Int) -> Bool {
    state.withLock { state in
      state.listeners[number] = nil
      return state.listeners.isEmpty
    }
  }

  /// The listeners, in the order of their addition.
  var all: [Listener] { state.withLock { $0.listeners.sorted { $0.key < $1.key }.map(\.value) } }

  func report(_ error: ServiceError) {
    for listener in all { listener.failed(error) }
  }
}
