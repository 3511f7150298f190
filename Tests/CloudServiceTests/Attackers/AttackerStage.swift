import FaultInjection
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// A cloud with private data: Alice shares `root` with Bob, who may write, Carol, who may read, and Dora, who has not
/// accepted. Mallory is invited to nothing. Only Alice may see `hidden`, `secret` and the share of `own`.
struct AttackerStage {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let carol: Person
  let dora: Person
  let mallory: Person
  let share: Record

  init() throws {
    cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dora", "mallory"])
    alice = Person(cloud, "alice")
    try alice.makeZone()
    let records: [(ExactName, ExactName?)] = [
      ("root", nil), ("child", "root"), ("hidden", nil), ("secret", "hidden"), ("own", nil),
    ]
    for (name, parent) in records {
      try alice.save(alice.note(name, "1", parent: parent.map { .set($0, zone: nil) } ?? .keep))
    }
    try alice.share("own", share: "Share-own")
    let people = try ["bob", "carol", "dora"].map { [cloud, alice] name in
      var person = try cloud.service.sharing.participants(for: [.email("\(name)@example.com")], by: alice.caller)[0]
        .get()
      person.permission = name == "carol" ? .readOnly : .readWrite
      return person
    }
    let save = RecordSave(
      id: alice.id("Share-1"), type: Record.shareType, share: ShareSave(root: "root", participants: people))
    let root = alice.note("root", tag: try alice.fetch("root").changeTag)
    share = try alice.modify([root, save]).saves[1].get()
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    carol = try Person(cloud, "carol").inShared(zoneOf: alice)
    dora = try Person(cloud, "dora").inShared(zoneOf: alice)
    mallory = try Person(cloud, "mallory").inShared(zoneOf: alice)
    for person in [bob, carol] { try person.accept(share) }
  }

  var service: CloudService { cloud.service }
  var url: String { share.shareDetails?.url ?? "" }

  /// Expects that the attack leaves the tree unchanged.
  func untouched<Result>(
    _ attacks: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
  ) throws -> Result {
    let before = try FolderImage(of: cloud.path).withoutLockNotes
    let result = try body()
    let after = try FolderImage(of: cloud.path).withoutLockNotes
    #expect(after.differences(from: before) == [], "\(attacks)", sourceLocation: sourceLocation)
    return result
  }

  /// Expects that the attack fails with this code and leaves the tree ``untouched(_:sourceLocation:_:)``. Without
  /// `looking` the caller compares the tree, once for many attacks. Returns the error that the attacker got.
  @discardableResult
  func refused(
    _ expected: ServiceError.Code, _ attack: String, looking: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
  ) throws -> ServiceError? {
    func refusal() -> ServiceError? {
      do { _ = try body() } catch { return error as? ServiceError }
      return nil
    }
    let answer = looking ? try untouched(attack, sourceLocation: sourceLocation, refusal) : refusal()
    #expect(answer?.code == expected, "\(attack): \(answer?.message ?? "it was done")", sourceLocation: sourceLocation)
    return answer
  }

  /// Expects the same refusal for an existing item of another person and for a missing item, apart from the names that
  /// the attacker gave.
  func refusedAlike(
    _ expected: ServiceError.Code, _ attack: String, there: String, missing: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (String) throws -> some Any
  ) throws {
    let errors = try untouched(attack, sourceLocation: sourceLocation) {
      try [there, missing].map { name in
        try refused(expected, "\(attack) \(name)", looking: false, sourceLocation: sourceLocation) { try body(name) }?
          .forgetting(name)
      }
    }
    #expect(errors[0] == errors[1], "\(attack)", sourceLocation: sourceLocation)
  }
}

extension ServiceError {
  /// The error with this name removed from its texts.
  func forgetting(_ name: String) -> ServiceError {
    var result = self
    if !name.isEmpty {
      result.message = message.replacing(name, with: "…")
      result.hint = hint?.replacing(name, with: "…")
      result.path = path?.replacing(name, with: "…")
    }
    return result
  }
}

extension FolderImage {
  /// Lock files contain their holders, so they change with every access.
  var withoutLockNotes: FolderImage {
    var result = self
    result.files["lock"] = nil
    result.folders = folders.mapValues(\.withoutLockNotes)
    return result
  }
}
