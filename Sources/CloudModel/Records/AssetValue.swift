import Storage

/// The bytes of a field of type ASSETID.
///
/// In a save: a file of the user's to take them from, or what the record holds already, by name, or both: then the file
/// counts if the record does not hold them any more. In an answer: what the zone calls them, and the bytes themselves if
/// they were asked for.
package struct AssetValue: Sendable, Hashable {
  /// Web Services' `fileChecksum`.
  package var name: ContentName?
  /// The path of a file with the bytes, outside of the tree.
  package var file: String?
  /// The bytes, as they were when the record was read.
  package var content: (any AssetReading)?

  package init(name: ContentName? = nil, file: String? = nil) {
    self.name = name
    self.file = file
  }

  /// How the bytes are at hand makes no difference.
  package static func == (left: AssetValue, right: AssetValue) -> Bool {
    left.name == right.name && left.file == right.file
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(file)
  }
}

/// The bytes of an asset that was read, wherever they are kept.
package protocol AssetReading: Sendable {
  /// Hands over all bytes, piece by piece. Throws if they are not those that the asset is named after, which may show at
  /// the end only.
  func read(_ body: ([UInt8]) throws -> Void) throws
}

extension FieldValue {
  /// Whether it is of a type that holds assets.
  package var canHoldAssets: Bool {
    switch self {
    case .asset, .list(.asset, _): true
    default: false
    }
  }

  /// The assets in it.
  package var assets: [AssetValue] {
    switch self {
    case .asset(let asset): [asset]
    case .list(.asset, let elements): elements.flatMap(\.assets)
    default: []
    }
  }

  /// With `change` made to each of its assets.
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
