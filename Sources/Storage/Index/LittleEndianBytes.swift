/// Integers in a page: little-endian and not aligned.
extension [UInt8] {
  package func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
    return withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }

  mutating func setInteger<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
    withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self) }
  }

  mutating func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}

extension [UInt8] {
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  package func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
    withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }
}
