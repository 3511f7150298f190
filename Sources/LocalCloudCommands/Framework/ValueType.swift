/// A type of values on the command line: the conversion of a word, and the error for a word that it refuses.
package struct ValueType<Value: Sendable>: Sendable {
  /// The only words that are allowed; empty if any word may be.
  let words: [String]
  /// Converts a word; nil if it is wrong.
  private let convert: @Sendable (String) -> Value?
  /// The end of an error sentence that begins with `--name "word"`.
  private let reason: @Sendable (String) -> String

  init(
    words: [String] = [], _ convert: @escaping @Sendable (String) -> Value?,
    reason: @escaping @Sendable (String) -> String = { _ in "is not a value" }
  ) {
    self.words = words
    self.convert = convert
    self.reason = reason
  }

  /// - Parameter source: the option or the argument that has the word, as the command line or the help spells it.
  func value(of word: String, from source: String) throws(CommandFailure) -> Value {
    if let value = convert(word) { return value }
    if words.isEmpty { throw .usage("\(source) \"\(word)\" \(reason(word))") }
    let near = WordSuggestion.nearest(to: word, among: words)
    throw .usage(
      "\(source) cannot be \"\(word)\": it is one of \(words.joined(separator: ", "))",
      hint: near.map { "did you mean \"\($0)\"?" })
  }
}

extension ValueType<String> {
  /// Any text. Files are texts too: `CommandContext.contents(ofFile:limit:)` reads them.
  package static var text: ValueType { ValueType { $0 } }

  /// One of these words.
  package static func oneOf(_ words: [String]) -> ValueType { values(words, by: \.self) }
}

extension ValueType<Double> {
  package static var seconds: ValueType {
    ValueType { text in
      guard let seconds = Double(text), seconds >= 0, seconds.isFinite else { return nil }
      return seconds
    } reason: { _ in
      "is not a number of seconds"
    }
  }
}

extension ValueType<Int> {
  package static func wholeNumber(in range: ClosedRange<Int> = 0...Int.max) -> ValueType {
    ValueType { text in
      guard let number = Int(text), range.contains(number) else { return nil }
      return number
    } reason: { text in
      if Int(text) == nil { return "is not a whole number" }
      return range.upperBound == .max
        ? "is less than \(range.lowerBound)" : "is not between \(range.lowerBound) and \(range.upperBound)"
    }
  }
}

extension ValueType {
  /// A value for each word, in the order of the help.
  init(named values: [(String, Value)]) {
    self.init(words: values.map { $0.0 }) { word in values.first { $0.0 == word }?.1 }
  }

  /// A value for each word, in the order of the help.
  package static func words(_ values: KeyValuePairs<String, Value>) -> ValueType {
    ValueType(named: values.map { ($0.key, $0.value) })
  }

  /// Each of these values by its name.
  static func values(_ values: [Value], by name: (Value) -> String) -> ValueType {
    ValueType(named: values.map { (name($0), $0) })
  }
}

extension ValueType where Value: CaseIterable & RawRepresentable<String> {
  /// All cases of an enumeration, by their raw values.
  static var cases: ValueType { values(Array(Value.allCases), by: \.rawValue) }
}
