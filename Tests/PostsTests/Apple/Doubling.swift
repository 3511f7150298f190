import Foundation

/// A class in a file that imports only Foundation.
final class Doubling: ValueTransformer {
  static let name = NSValueTransformerName("Doubling")

  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { 2 * $0 } }
}
