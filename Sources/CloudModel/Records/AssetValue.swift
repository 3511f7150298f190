import LocalCloudStorage

/// The bytes of a field of type ASSETID.
///
/// In a save: the path of a file with the content, the name of content that the record already holds, or an asset that
/// the server copies. If file and name are set, the file is used if the record no longer holds that content. In an
/// answer: the zone's name for the content, and the content itself if it was requested.
package struct AssetValue: Sendable, Hashable {
  /// Web Services' `fileChecksum`.
  package var name: ContentName?
  /// The path of a file with the content, outside the tree.
  package var file: String?
  /// An asset of another record, also of another container.
  package var exported: ExportedAsset?
  /// The content at the time when the record was read.
  package var content: (any AssetReading)?

  package init(name: ContentName? = nil, file: String? = nil, exported: ExportedAsset? = nil) {
    self.name = name
    self.file = file
    self.exported = exported
  }

  /// The loaded content is ignored.
  package static func == (left: AssetValue, right: AssetValue) -> Bool {
    left.name == right.name && left.file == right.file && left.exported == right.exported
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(file)
    hasher.combine(exported)
  }
}

/// The content of an asset that was read, from any storage.
package protocol AssetReading: Sendable {
  /// Calls `body` with the content, piece by piece. Throws if the content does not match the asset's name; this may be
  /// detected only at the end.
  func read(_ body: ([UInt8]) throws -> Void) throws
}

extension FieldValue {
  /// Whether the value's type can hold assets.
  package var canHoldAssets: Bool {
    switch self {
    case .asset, .list(.asset, _): true
    default: false
    }
  }

  /// The assets in the value.
  package var assets: [AssetValue] {
    switch self {
    case .asset(let asset): [asset]
    case .list(.asset, let elements): elements.flatMap(\.assets)
    default: []
    }
  }

  /// The value with `change` applied to each of its assets.
  package func mappingAssets<Failure: Error>(
    _ change: (AssetValue) throws(Failure) -> AssetValue
  ) throws(Failure) -> FieldValue {
    switch self {
    case .asset(let asset):
      return .asset(try change(asset))
    case .list(.asset, let elements):
      var changed: [FieldValue] = []
      for element in elements { changed.append(try element.mappingAssets(change)) }
      return .list(.asset, changed)
    default:
      return self
    }
  }
}

extension Record {
  package func mappingAssets<Failure: Error>(
    _ change: (AssetValue) throws(Failure) -> AssetValue
  ) throws(Failure) -> Record {
    var result = self
    for (key, value) in fields where value.canHoldAssets { result.fields[key] = try value.mappingAssets(change) }
    return result
  }
}
