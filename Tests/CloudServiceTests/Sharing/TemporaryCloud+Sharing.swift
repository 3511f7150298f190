import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import TestSupport

extension TemporaryCloud {
  /// Alice shares `a` and its child `b` with Bob. `c` is not shared.
  func shareNotes() throws -> (alice: Person, bob: Person) {
    let alice = Person(self, "alice")
    try alice.makeZone()
    for name in ["a", "c"] as [ExactName] { try alice.save(alice.note(name, "1")) }
    try alice.save(alice.note("b", "1", parent: .set("a", zone: nil)))
    let share = try alice.share("a", with: ["bob"])
    let bob = try Person(self, "bob").inShared(zoneOf: alice)
    try bob.accept(share)
    return (alice, bob)
  }
}
