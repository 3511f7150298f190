/// What a harness wants to happen at a ``TreeCall``.
package enum TreeVerdict: Sendable, Equatable {
  case proceed
  /// The process ends before the call has an effect.
  case stopBefore
  /// The process ends right after the call.
  case stopAfter
  /// A write of which only this many bytes arrive before the process ends.
  case stopWithin(Int)
  /// The call has no effect and fails with this `errno`.
  case fail(Int32)
  /// Nothing is done and success is reported. A read gives no bytes and a listing no entries; what opens a thing that
  /// exists or asks for its status has no other answer to give, and proceeds.
  case skip
  /// A write's bytes are written twice, the second time right behind the first. Other calls proceed.
  case twice
}
