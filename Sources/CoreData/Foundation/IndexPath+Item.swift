import Foundation

#if !canImport(ObjectiveC)
  /// The additions of UIKit and AppKit to index paths, for lists of sections.
  extension IndexPath {
    /// The path of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    /// The path of a row in a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The index of the section.
    public var section: Int { self[0] }
    /// The index within the section.
    public var item: Int { self[1] }
    /// The row, equal to the second index.
    public var row: Int { self[1] }
  }
#endif
