/// The files that an asset field is to hold.
package struct FieldAssets: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// Files the user named.
    case paths([String])
    /// Keys of `--asset-files KEY=path`.
    case keys([String])
  }

  package var source: Source
  package var isList: Bool

  package init(source: Source, isList: Bool) {
    self.source = source
    self.isList = isList
  }
}
