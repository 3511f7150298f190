import Testing

// Programs can't make what these tests ask: no public initialiser of the class gives an object.
@testable import CloudKit

@Suite("A subscription that is of no subclass")
struct AbstractSubscriptionTests {
  private static let reason = "CKSubscription is abstract; use one of its subclasses"

  @Test("is neither copied nor saved: an exception")
  func exceptions() async {
    await expectException(
      Self.reason,
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKSubscription(id: "a", type: .query, info: nil).copy()
      })
    await expectException(
      Self.reason,
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKSubscription(id: "a", type: .query, info: nil).save(Translator(ownName: nil))
      })
  }
}
