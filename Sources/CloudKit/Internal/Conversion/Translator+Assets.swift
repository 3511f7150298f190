import Foundation
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

extension Translator {
  // MARK: To the service

  func asset(_ asset: CKAsset) -> AssetValue {
    AssetValue(
      name: asset.stored.flatMap { ContentName($0.fileChecksum) }, file: asset.fileURL?.path, exported: asset.exported)
  }

  /// The value that a save sends for a key. An asset that was not set since the last save or fetch need not be uploaded
  /// again: its server name is sent, with its file in case the server has another asset by now.
  func sent(_ value: ClientValue, _ key: String, of state: RecordState) -> ClientValue {
    guard state.edits[key] == nil, !value.assets.isEmpty, let known = state.serverValues?.values[key],
      known.assets.count == value.assets.count
    else { return value }
    return known
  }

  // MARK: From the service

  func asset(_ value: AssetValue) -> CKAsset {
    CKAsset(
      fileURL: value.file.map { URL(fileURLWithPath: $0) },
      stored: value.name.map { StoredAsset(fileChecksum: "\($0)", size: Int64($0.size)) })
  }

  /// The state of a saved record as the server stores it. Its assets keep the local files that they had before.
  func state(_ record: Record, savedAs sent: RecordState) throws(ServiceError) -> RecordState {
    var state = try state(record)
    for (key, value) in state.values where !value.assets.isEmpty {
      guard let local = sent.values[key], local.assets.count == value.assets.count else { continue }
      let before = sent.serverValues?.values[key]?.assets.map(\.stored)
      guard sent.edits[key] != nil || before == value.assets.map(\.stored) else { continue }
      var files = local.assets.map(\.fileURL)[...]
      state.values[key] = value.mappingAssets { CKAsset(fileURL: files.removeFirst(), stored: $0.stored) }
    }
    state.rememberServerValues()
    return state
  }
}

extension ClientValue {
  /// All assets in the value.
  var assets: [CKAsset] {
    switch self {
    case .asset(let asset): [asset]
    case .list(let list): list.flatMap(\.assets)
    default: []
    }
  }

  func mappingAssets(_ change: (CKAsset) -> CKAsset) -> ClientValue {
    switch self {
    case .asset(let asset): .asset(change(asset))
    case .list(let list): .list(list.map { $0.mappingAssets(change) })
    default: self
    }
  }
}
