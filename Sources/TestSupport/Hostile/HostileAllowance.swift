/// What a harm explains of one answer about a record. Nothing else may be otherwise than it was.
struct HostileAllowance {
  enum Part: Hashable {
    case type, parent, share, shareDetails, stamps, tag, other
    case field(String)
    case encrypted(String)
  }

  /// An error that names the harmed file, or one of those that the harm speaks of.
  var fails = false
  /// The answer that whoever asks for what is not there gets.
  var isGone = false
  var parts: Set<Part> = []
  /// Another content altogether: bytes with a right checksum count as committed.
  var isOther = false

  static let none = HostileAllowance()
}
