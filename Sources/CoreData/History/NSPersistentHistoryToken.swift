import Foundation

/// A point in the history of stores. Store a token, and pass it to a later request to fetch only newer transactions.
///
/// The content is opaque.
///
/// - Difference: for each of the stores the token holds the last transaction before the point, and no data of other
///   stores.
// Sendable: every stored property is a constant of a Sendable type.
open class NSPersistentHistoryToken: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The number of the last transaction before the point, by store identifier.
  final let transactions: [String: Int64]

  init(_ transactions: [String: Int64]) { self.transactions = transactions }

  /// Makes a token of the point before all history.
  public override convenience init() { self.init([:]) }

  /// The last transaction of a store before the point; 0 for a store that the token does not know.
  final func transaction(in store: String) -> Int64 { transactions[store] ?? 0 }

  /// True for a token of the same point in the history of the same stores.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.transactions == transactions
  }

  /// Equal for equal tokens.
  open override var hash: Int { transactions.hashValue }

  /// A textual description.
  open override var description: String { "<NSPersistentHistoryToken: \(text)>" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a token from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard coder.allowsKeyedCoding, coder.containsValue(forKey: Self.archiveKey) else { return nil }
    // Not decoded as an object: on Linux, decoding an object of another class stops the process.
    let bytes = coder.withDecodedUnsafeBytes(forKey: Self.archiveKey) { bytes in bytes.map(Array.init) }
    guard let bytes, let found = Self.transactions(String(decoding: bytes, as: UTF8.self)) else { return nil }
    transactions = found
  }

  /// Writes the token to a keyed archive.
  open func encode(with coder: NSCoder) {
    guard coder.allowsKeyedCoding else { raiseException("Tokens can only be encoded with a keyed archiver") }
    let bytes = Array(text.utf8)
    bytes.withUnsafeBufferPointer { coder.encodeBytes($0.baseAddress, length: $0.count, forKey: Self.archiveKey) }
  }

  /// Returns the token itself, because it is immutable.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "NSPersistentHistoryToken"

  /// One line for each store: its identifier and the number.
  private final var text: String {
    transactions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
  }

  private static func transactions(_ text: String) -> [String: Int64]? {
    var transactions: [String: Int64] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let number = Int64(parts[1]), number >= 0 else { return nil }
      transactions[String(parts[0])] = number
    }
    return transactions
  }
}
