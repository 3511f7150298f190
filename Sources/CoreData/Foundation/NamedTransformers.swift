#if !canImport(ObjectiveC)
  import Foundation

  /// Returns whether a value is nil, or whether it is not nil.
  final class NilTransformer: ValueTransformer {
    private let isNil: Bool

    init(isNil: Bool) { self.isNil = isNil }

    required init() { isNil = true }

    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? { ((value == nil || value is NSNull) == isNil) as NSNumber }
  }

  /// Negates a Boolean.
  final class NegationTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? { !((value as? NSNumber)?.boolValue ?? false) as NSNumber }
  }
#endif
