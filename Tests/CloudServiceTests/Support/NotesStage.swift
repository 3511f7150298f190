import TestSupport

/// A cloud with Alice's zone `Notes`. Bob and Carol address that zone in their shared databases.
struct NotesStage {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let carol: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    carol = try Person(cloud, "carol").inShared(zoneOf: alice)
    try alice.makeZone()
  }
}

/// A suite of tests that start with a `NotesStage`.
protocol OnNotesStage {
  var stage: NotesStage { get }
}

extension OnNotesStage {
  var cloud: TemporaryCloud { stage.cloud }
  var alice: Person { stage.alice }
  var bob: Person { stage.bob }
  var carol: Person { stage.carol }
}
