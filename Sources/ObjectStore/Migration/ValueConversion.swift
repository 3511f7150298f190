extension StoreSchema.AttributeType {
  /// Whether values of another type can be converted to this type.
  ///
  /// - Assumption: integers of all sizes are converted to each other, as are doubles and floats; no other types are.
  func takes(_ other: Self) -> Bool {
    switch (other, self) {
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer16), (.integer32, .integer64),
      (.integer64, .integer16), (.integer64, .integer32), (.double, .float), (.float, .double):
      true
    default: self == other
    }
  }
}

extension StoredValue {
  /// The value converted to a type; nil if that type can't hold it.
  func converted(to type: StoreSchema.AttributeType) -> StoredValue? {
    switch (self, type) {
    case (.integer(let number), .integer16): Int16(exactly: number) == nil ? nil : self
    case (.integer(let number), .integer32): Int32(exactly: number) == nil ? nil : self
    case (.double(let number), .float):
      number.isFinite && !Float(number).isFinite ? nil : .double(Double(Float(number)))
    default: self
    }
  }
}
