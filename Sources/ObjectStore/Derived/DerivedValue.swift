#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of derived attributes, each as its attribute's type has it.
enum DerivedValue {
  static func number(_ number: Int64, _ type: StoreSchema.AttributeType) -> StoredValue {
    switch type {
    case .double, .float: .double(Double(number))
    case .decimal: .decimal(String(number))
    default: .integer(number)
    }
  }

  /// A copy of another attribute's value; the types are known to fit. A number that the type cannot hold becomes nil.
  static func copy(_ value: StoredValue, _ type: StoreSchema.AttributeType) -> StoredValue {
    guard type.isNumber, let number = decimal(value) else { return type.isNumber ? other(value, type) : value }
    return self.value(number, type)
  }

  private static func other(_ value: StoredValue, _ type: StoreSchema.AttributeType) -> StoredValue {
    // Infinite, or not a number.
    if case .double = value, type == .double || type == .float { return value }
    return .null
  }

  /// The sum of values; nil counts as nothing.
  static func sum(_ values: [StoredValue], _ type: StoreSchema.AttributeType) -> StoredValue {
    let isExact = values.allSatisfy { if case .double = $0 { false } else { true } }
    if isExact { return value(values.reduce(Decimal(0)) { $0 + (decimal($1) ?? 0) }, type) }
    let sum = values.reduce(0.0) { $0 + (double($1) ?? 0) }
    switch type {
    case .double: return .double(sum)
    case .float: return .double(Double(Float(sum)))
    case .decimal: return sum.isFinite ? .decimal(Decimal(sum).description) : .null
    default: return Int64(exactly: sum.rounded(.towardZero)).map { .integer($0) } ?? .null
    }
  }

  private static func value(_ number: Decimal, _ type: StoreSchema.AttributeType) -> StoredValue {
    switch type {
    case .decimal: return .decimal(number.description)
    case .double: return Double(number.description).map { .double($0) } ?? .null
    case .float: return Float(number.description).map { .double(Double($0)) } ?? .null
    default:
      let digits = number.description.prefix { $0 != "." }
      return Int64(digits).map { .integer($0) } ?? .null
    }
  }

  /// A number that was computed before, if it is a whole one.
  static func exact(_ value: StoredValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .double(let number): abs(number) < 0x1p53 ? Int64(exactly: number) : nil
    case .decimal(let digits): Int64(digits)
    default: nil
    }
  }

  /// The contribution of a value to a sum, if it is a whole number.
  static func whole(_ value: StoredValue) -> Int64? {
    switch value {
    case .null: 0
    case .integer(let number): number
    default: nil
    }
  }

  private static func decimal(_ value: StoredValue) -> Decimal? {
    switch value {
    case .integer(let number): Decimal(number)
    case .decimal(let digits): Decimal(string: digits)
    case .double(let number): number.isFinite ? Decimal(number) : nil
    default: nil
    }
  }

  private static func double(_ value: StoredValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .decimal(let digits): Double(digits)
    case .double(let number): number
    default: nil
    }
  }
}
