import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Alice's zone, and helpers for records that hold assets.
struct AssetStage {
  let cloud: TemporaryCloud
  let alice: Person

  init(
    fileSystem: FileSystem = FileSystem(), configure: (inout ServiceSettings) -> Void = { _ in }
  ) throws {
    cloud = try TemporaryCloud(fileSystem: fileSystem, configure: configure)
    alice = Person(cloud, "alice")
    try alice.makeZone()
  }

  func zone() throws -> Directory { try cloud.zoneFolder() }

  func folders() throws -> AssetFolders { try AssetFolders(inZoneAt: cloud.zonePath()) }

  /// A service that the tree can't tell from another process.
  func next(boot: String = HostProcess.bootIdentifier) throws -> CloudService {
    try CloudService.open(
      root: cloud.path, settings: TemporaryCloud.settings(start: 1_900_000_000_000, ids: "next"),
      fileSystem: FileSystem(bootIdentifier: boot))
  }
}

/// The name of an asset with these bytes, if it is the first with its digest and size.
func assetName(_ bytes: [UInt8]) -> String { "\(Digest.hex128(bytes))-\(bytes.count)" }

func assetName(_ text: String) -> String { assetName(Array(text.utf8)) }

extension Person {
  func picture(_ name: ExactName, _ file: TemporaryFile, tag: String? = nil) -> RecordSave {
    picture(name, .asset(AssetValue(file: file.path)), tag: tag)
  }

  func picture(_ name: ExactName, _ value: FieldValue?, tag: String? = nil) -> RecordSave {
    let isList = if case .list? = value { true } else { false }
    return RecordSave(id: id(name), type: "Picture", changeTag: tag, fields: [isList ? "pictures" : "picture": value])
  }

  @discardableResult
  func savePicture(_ name: ExactName, _ text: String) throws -> Record {
    let file = try TemporaryFile(text)
    return try save(picture(name, file), policy: .allKeys)
  }

  @discardableResult
  func savePictures(_ name: ExactName, _ texts: [String]) throws -> Record {
    let files = try texts.map { try TemporaryFile($0) }
    return try save(
      picture(name, .list(.asset, files.map { .asset(AssetValue(file: $0.path)) })), policy: .allKeys)
  }

  func fetchWithAssets(_ name: ExactName, keys: [String]? = nil) throws -> Record {
    try service.records.fetchRecords(
      FetchRecordsRequest(scope: scope, records: [id(name)], desiredKeys: keys, withAssets: true), by: caller)[0].get()
  }

  /// The bytes under `picture` or `pictures`, as text.
  func pictures(_ name: ExactName) throws -> [String] {
    let fields = try fetchWithAssets(name).fields
    return try ((fields["picture"] ?? fields["pictures"])?.assets ?? []).map {
      String(decoding: try $0.bytes(), as: UTF8.self)
    }
  }
}
