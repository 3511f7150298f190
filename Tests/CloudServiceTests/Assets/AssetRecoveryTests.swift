import FaultInjection
import Foundation
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Assets: uploads of killed processes, check and repair")
struct AssetRecoveryTests {
  let stage: AssetStage
  let alice: Person

  init() throws {
    stage = try AssetStage()
    alice = stage.alice
  }

  private func store() throws -> ZoneStore {
    let path = ZonePath(
      database: DatabasePath(
        container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"]),
      zone: "Notes")
    return try #require(try alice.service.cloud.zone(path))
  }

  private func upload(_ text: String, _ lease: String) throws -> AssetUploads {
    let uploads = try AssetUploads(in: store(), count: 1) { lease }
    var pieces = [Array(text.utf8)]
    _ = try uploads.add { pieces.popLast() ?? [] }
    return uploads
  }

  @Test("the next commit removes the upload of a killed process, and leaves the upload of a running process")
  func nextCommitRemovesTheUpload() throws {
    let living = try upload("living", "11")
    _ = try upload("dead", "22")
    #expect(try stage.folders().uploads == ["11", "11.0", "22", "22.0"])
    #expect(try alice.service.checks.check() == [])
    try alice.save(alice.note("n", "1"))
    #expect(try stage.folders().uploads == ["11", "11.0"])
    living.end()
    #expect(try stage.folders().uploads == [])
    // A file without a lease belongs to no process. A folder that is no upload stays until a repair.
    let folder = try stage.zone().directory(".journal").directory("uploads")
    try folder.writeStaged("33.0", [1])
    try folder.makeDirectory("44")
    try alice.save(alice.note("n", "2"), policy: .allKeys)
    #expect(try stage.folders().uploads == ["44"])
    #expect(try alice.service.checks.check().count == 1)
    #expect(try alice.service.repairs.repair().left == [])
  }

  @Test("after a reboot the replay leaves each asset in the state of its last change", arguments: [true, false])
  func comesBack(_ isThereAtTheEnd: Bool) throws {
    for text in ["one", "two", "one", "two"] { try alice.savePicture("a", text) }
    if isThereAtTheEnd { try alice.savePicture("b", "one") }
    let next = try stage.next(boot: "another boot")
    #expect(try next.checks.check() == [])
    let expected = isThereAtTheEnd ? [assetName("one"), assetName("two")] : [assetName("two")]
    #expect(try Set(stage.folders().assets) == Set(expected))
    #expect(try alice.pictures("a") == ["two"])
  }

  @Test("after a process is killed right after the commit point, the next process moves the upload to its final path")
  func stoppedBeforePlacing() throws {
    let fileSystem = FileSystem { call in
      if case .rename(_, let to) = call, to.contains("/assets/") { .stopBefore } else { .proceed }
    }
    let killed = FaultRunPeople(
      try CloudService.open(root: stage.cloud.path, settings: TemporaryCloud.settings(ids: "k"), fileSystem: fileSystem)
    )
    #expect(throws: (any Error).self) { try killed.saveAlbum("album", ["one"]) }
    #expect(try stage.folders().uploads.count == 2)
    let people = FaultRunPeople(try stage.next())
    for name in ["frank", "gina"] { _ = try people.service.accounts.addAccount(name, AccountChanges()) }
    #expect(try FaultRunScenario(people).lines.contains { $0.contains("holds one") })
    #expect(try stage.folders().assets == [assetName("one")])
    try people.modify([people.note("n", "1")])
    #expect(try stage.folders().uploads == [])
    #expect(try people.service.checks.check() == [])
  }

  @Test("a rebuilt index knows the records that hold each asset")
  func rebuiltIndexKnowsTheRecordsThatHold() throws {
    try alice.savePicture("a", "one")
    try alice.savePicture("b", "one")
    try stage.zone().directory(".index").remove("index")
    try alice.modify(delete: ["a"]).deletes[0].get()
    #expect(try alice.pictures("b") == ["one"])
    try stage.zone().directory(".index").remove("index")
    try alice.modify(delete: ["b"]).deletes[0].get()
    #expect(try stage.folders().assets == [])
    #expect(try alice.service.checks.check() == [])
  }

  @Test("check finds missing, damaged and unreferenced assets; repair sets files aside and invents no contents")
  func checkAndRepair() throws {
    for (name, text) in [("a", "one"), ("b", "two"), ("c", "three")] { try alice.savePicture(ExactName(name), text) }
    let assets = try stage.zone().directory("assets")
    try assets.remove(assetName("one"))
    try assets.writeStaged(assetName("two"), Array("TWO".utf8))
    try assets.writeStaged(assetName("nobody's"), Array("nobody's".utf8))
    try assets.writeStaged("garbage", [1])
    let problems = try alice.service.checks.check()
    for part in ["its asset \(assetName("one")) is missing", "not those that it is named after", "no record holds it"] {
      #expect(problems.contains { $0.text.contains(part) }, "\(part)")
    }
    #expect(problems.contains { $0.path.hasSuffix("/garbage") && $0.text == "not an asset's file" })
    #expect(problems.count == 4)
    for name in ["a", "b"] as [ExactName] {
      #expect(code { try alice.pictures(name) } == .assetNotAvailable)
      #expect(try alice.fetchWithAssets(name, keys: []).changeTag == alice.fetch(name).changeTag)
    }
    let report = try alice.service.repairs.repair()
    // Only a person can supply the bytes of a missing asset.
    #expect(
      report.left.map(\.text).sorted()
        == [assetName("one"), assetName("two")].sorted().map { "its asset \($0) is missing" })
    let aside = try FolderImage(of: stage.cloud.path + "/aside")
    func files(_ image: FolderImage) -> [String: [UInt8]] {
      image.folders.values.map(files).reduce(image.files.mapValues(\.bytes)) { $0.merging($1) { first, _ in first } }
    }
    #expect(files(aside)[assetName("two")] == Array("TWO".utf8))
    #expect(files(aside)[assetName("nobody's")] == Array("nobody's".utf8))
    #expect(files(aside)["garbage"] == [1])
    #expect(try alice.pictures("c") == ["three"])
    // Saving the records again restores the assets.
    try alice.savePicture("a", "one")
    try alice.savePicture("b", "two")
    #expect(try alice.service.checks.check() == [])
  }

  @Test(
    "while a record is unreadable, no asset counts as unreferenced; repair sets both the record and the asset aside")
  func unreadableHolder() throws {
    try alice.savePicture("a", "one")
    let records = try stage.zone().directory("records")
    let bytes = try records.contents("a.json") ?? []
    try records.writeStaged("a.json", Array("{".utf8))
    #expect(try alice.service.checks.check().allSatisfy { !$0.text.contains("no record holds it") })
    #expect(try alice.service.repairs.repair().left == [])
    #expect(try stage.folders().assets == [])
    // A person can restore both from there.
    #expect(!bytes.isEmpty)
    #expect(try alice.service.checks.check() == [])
  }

  @Test("a symbolic link at an asset's path is not followed")
  func symbolicLinkAtAnAssetsPath() throws {
    try alice.savePicture("a", "one")
    let outside = try TemporaryFile("one")
    let assets = try stage.zone().directory("assets")
    try assets.remove(assetName("one"))
    try FileManager.default.createSymbolicLink(
      atPath: stage.cloud.zonePath() + "/assets/" + assetName("one"), withDestinationPath: outside.path)
    #expect(code { try alice.pictures("a") } == .assetNotAvailable)
    #expect(try !alice.service.checks.check().isEmpty)
    try alice.savePicture("b", "one")
    #expect(try alice.pictures("b") == ["one"])
    #expect(try UserFile.read(outside.path, limit: .value) == Array("one".utf8))
  }
}
