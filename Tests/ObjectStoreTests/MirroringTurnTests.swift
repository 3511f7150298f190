import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import Testing

@Suite("The turn to mirror a store")
struct MirroringTurnTests {
  private func withStore(_ body: (ObjectStore) throws -> Void) throws {
    try SampleStore.withPath("turn") { try body(try SampleStore.open($0)) }
  }

  @Test("one has it at a time, and who asked first is next [store-24]")
  func queue() throws {
    try withStore { store in
      let (one, other, third) = (MirroringTurn(store), MirroringTurn(store), MirroringTurn(store))
      let held = try #require(try one.takeIfFree())
      #expect(try other.takeIfFree() == nil)
      held.release()
      // The other one is in the queue.
      #expect(try one.takeIfFree() == nil && third.takeIfFree() == nil)
      let next = try #require(try other.takeIfFree())
      #expect(try one.takeIfFree() == nil && third.takeIfFree() == nil)
      // Who leaves the queue lets the one behind them go first.
      one.leave()
      #expect(try third.takeIfFree() == nil)
      next.release()
      #expect(try one.takeIfFree() == nil)
      #expect(try third.takeIfFree() != nil)
    }
  }

  @Test("it hinders nobody who reads or writes, and the check knows its files [store-24]")
  func files() throws {
    try withStore { store in
      let turn = MirroringTurn(store)
      let held = try #require(try turn.takeIfFree())
      defer { held.release() }
      #if os(Linux)
        #expect(try #require(turn.holder()).contains("(process \(HostProcess.identifier))"))
      #endif
      _ = try store.write { $0.insert(SampleStore.row($0.newID(of: SampleStore.note), ["title": .string("A")])) }
      #expect(try store.check().isEmpty)
      // A copy is nobody's yet.
      try store.copy(to: store.path + ".copy")
      let copy = try SampleStore.open(store.path + ".copy")
      #expect(try MirroringTurn(copy).takeIfFree() != nil)
      #expect(try copy.check().isEmpty)
    }
  }

  @Test("it ends with a store that is removed, and the next store has one of its own [store-24]")
  func removal() throws {
    try withStore { store in
      let turn = MirroringTurn(store)
      let held = try #require(try turn.takeIfFree())
      try ObjectStore.destroy(store.path)
      let next = try SampleStore.open(store.path)
      #expect(try MirroringTurn(next).takeIfFree() != nil)
      held.release()
      #expect(throws: ObjectStoreError.self) { _ = try MirroringTurn(store).takeIfFree() }
    }
  }

  @Test("there is none for a store that is read only [store-24]")
  func readOnly() throws {
    try withStore { store in
      var options = SampleStore.options
      options.isReadOnly = true
      let reader = try SampleStore.open(store.path, options: options)
      #expect(throws: ObjectStoreError.readOnly(path: reader.path)) { _ = try MirroringTurn(reader).takeIfFree() }
    }
  }
}
