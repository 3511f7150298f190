import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage

/// The targets that `--asset-files` names for the assets of fetched records: `FIELD=PATH` for one field, or a folder
/// for all fields.
struct AssetFiles {
  private var paths: [String: String] = [:]
  private var folder: String?

  init(_ words: [String]) throws {
    for word in words {
      guard let (field, path) = word.splitOnce(at: "=") else {
        guard folder == nil else { throw CommandFailure.usage("--asset-files names two folders") }
        folder = word
        continue
      }
      guard !field.isEmpty, !path.isEmpty else {
        throw CommandFailure.usage("--asset-files \"\(word)\": expected FIELD=PATH or a folder")
      }
      guard paths.updateValue(path, forKey: field) == nil else {
        throw CommandFailure.usage("--asset-files names \(field) twice")
      }
    }
  }

  /// Writes the requested assets and returns the record with their paths. In a folder, a file is named `RECORD.FIELD`;
  /// the files of a list are named `RECORD.FIELD.1` and so on.
  func write(_ record: Record) throws -> Record {
    var result = record
    for (key, value) in record.fields.sorted(by: { $0.key < $1.key }) where !value.assets.isEmpty {
      guard let destination = try destination(of: key, in: record) else { continue }
      var isList = false
      if case .list = value { isList = true }
      var number = 0
      result.fields[key] = try value.mappingAssets { asset in
        number += 1
        var asset = asset
        let name = isList ? "\(destination.name).\(number)" : destination.name
        asset.file = try WrittenFile.write(asset, destination.folder, name)
        return asset
      }
    }
    return result
  }

  /// The target of a field's assets; nil if the options do not request them.
  private func destination(of field: String, in record: Record) throws -> (folder: String, name: String)? {
    let ownName = FileName.encode(record.id.name.string) + "." + field
    if let path = paths[field] {
      return path.hasSuffix("/") || UserFile.isFolder(path) ? (path, ownName) : UserFile.folderAndName(of: path)
    }
    return folder.map { ($0, ownName) }
  }
}
