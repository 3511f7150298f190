import Foundation

#if !canImport(ObjectiveC)
  /// What UIKit and AppKit add to index paths, for lists of sections.
  extension IndexPath {
    /// The path of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    /// The path of a row in a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The place of the section.
    public var section: Int { self[0] }
    /// The place within the section.
    public var item: Int { self[1] }
    /// The row, which is the second index.
    public var row: Int { self[1] }
  }
#endif
