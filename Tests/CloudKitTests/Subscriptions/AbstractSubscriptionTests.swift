import Testing

// These tests use an internal initializer, because no public initializer of the class returns an object.
@testable import CloudKit

@Suite("CKSubscription without a subclass")
struct AbstractSubscriptionTests {
  private static let reason = "CKSubscription is abstract; use one of its subclasses"

  @Test("copying or saving a plain CKSubscription raises an exception")
  func copyingOrSavingAPlainCKSubscriptionRaises() async {
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
