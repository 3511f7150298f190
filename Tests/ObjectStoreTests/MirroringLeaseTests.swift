import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import Testing

@Suite("The mirroring lease of a store")
struct MirroringLeaseTests {
  private func withStore(_ body: (ObjectStore) throws -> Void) throws {
    try SampleStore.withPath("lease") { try body(try SampleStore.open($0)) }
  }

  @Test("one client at a time has the mirroring lease, and requests are served in their order [store-24]")
  func oneClientAtATime() throws {
    try withStore { store in
      let (one, other, third) = (MirroringLease(store), MirroringLease(store), MirroringLease(store))
      let held = try #require(try one.acquireIfFree())
      #expect(try other.acquireIfFree() == nil)
      held.release()
      // The other client waits in the queue.
      #expect(try one.acquireIfFree() == nil && third.acquireIfFree() == nil)
      let next = try #require(try other.acquireIfFree())
      #expect(try one.acquireIfFree() == nil && third.acquireIfFree() == nil)
      // A client that leaves the queue lets the next one advance.
      one.leave()
      #expect(try third.acquireIfFree() == nil)
      next.release()
      #expect(try one.acquireIfFree() == nil)
      #expect(try third.acquireIfFree() != nil)
    }
  }

  @Test("the mirroring lease blocks no readers or writers, and the check accepts its files [store-24]")
  func mirroringLeaseBlocksNoReadersOrWriters() throws {
    try withStore { store in
      let lease = MirroringLease(store)
      let held = try #require(try lease.acquireIfFree())
      defer { held.release() }
      #if os(Linux)
        #expect(try #require(lease.holder()).contains("(process \(HostProcess.identifier))"))
      #endif
      _ = try store.write { $0.insert(SampleStore.row($0.newID(of: SampleStore.note), ["title": .string("A")])) }
      #expect(try store.check().isEmpty)
      // The lease of a copy is free.
      try store.copy(to: store.path + ".copy")
      let copy = try SampleStore.open(store.path + ".copy")
      #expect(try MirroringLease(copy).acquireIfFree() != nil)
      #expect(try copy.check().isEmpty)
    }
  }

  @Test("the mirroring lease of a removed store ends, and a new store at the path has its own lease [store-24]")
  func mirroringLeaseOfARemovedStoreEnds() throws {
    try withStore { store in
      let lease = MirroringLease(store)
      let held = try #require(try lease.acquireIfFree())
      try ObjectStore.destroy(store.path)
      let next = try SampleStore.open(store.path)
      #expect(try MirroringLease(next).acquireIfFree() != nil)
      held.release()
      #expect(throws: ObjectStoreError.self) { _ = try MirroringLease(store).acquireIfFree() }
    }
  }

  @Test("a store that is opened read only has no mirroring lease [store-24]")
  func readOnly() throws {
    try withStore { store in
      var options = SampleStore.options
      options.isReadOnly = true
      let reader = try SampleStore.open(store.path, options: options)
      #expect(throws: ObjectStoreError.readOnly(path: reader.path)) { _ = try MirroringLease(reader).acquireIfFree() }
    }
  }
}
