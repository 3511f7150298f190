import LocalCloudModel
import LocalCloudPlatform

extension FieldValue {
  /// Whether saving this value over `present` would change nothing. An integer equals a double of the same value, an
  /// empty list equals an empty list of any type, and a file equals an asset with the same bytes.
  func hasSameContent(as present: FieldValue) -> Bool {
    switch (self, present) {
    case (.asset(let asset), .asset(let present)): asset.hasSameContent(as: present)
    case (.int64(let integer), .double(let double)): Double(integer) == double
    case (.list(_, let elements), .list(_, let present)):
      elements.count == present.count && zip(elements, present).allSatisfy { $0.hasSameContent(as: $1) }
    default: self == present
    }
  }
}

extension AssetValue {
  /// Compares the file with the digest in the present asset's name.
  fileprivate func hasSameContent(as present: AssetValue) -> Bool {
    guard let file, let held = present.name else { return name == present.name }
    guard let file = try? UserFile.open(file) else { return false }
    return (try? held.isHeld(by: file)) == true
  }
}
