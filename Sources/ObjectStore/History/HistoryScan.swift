import LocalCloudStorage

/// A history, read from its first byte to its last, without the code that searches it.
struct HistoryScan {
  /// The problems found, line by line.
  private(set) var problems: [String] = []
  /// The offset behind all damage. All transactions behind it are complete.
  private(set) var soundStart = 0
  /// The sequences of the first and the last line behind ``soundStart``; nil if there is none.
  private(set) var soundLines: ClosedRange<Int64>?
  /// The last transaction that was removed from the history.
  private(set) var horizon: Int64 = 0
  /// The highest number in a line or in the header.
  private(set) var taken: Int64 = 0
  /// The number of lines that can't be read: each has taken at least one number.
  private(set) var unreadLines: Int64 = 0

  /// The line that a repair writes behind the lines of a damaged journal's whole entries. The history has no lines of
  /// the lost entries, so this line marks it as damaged until a repair begins it anew.
  static let lossLine = JSONValue.object(["lost": "entries of the journal"]).compact() + [UInt8(ascii: "\n")]

  /// The transaction whose last line was not read yet.
  private var open: Int64?
  /// Whether the first lines of the present transaction may be among those that are wrong.
  private var isUnsure = false
  private var lastSequence: Int64 = 0

  init(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      guard let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
        reject("it ends within a line", end: bytes.count)
        break
      }
      read(bytes[start..<newline])
      start = newline + 1
    }
    if let open { lose(open, before: bytes.count) }
    if isUnsure { dropAll(before: bytes.count) }
  }

  /// `bytes`: without the newline.
  private mutating func read(_ bytes: ArraySlice<UInt8>) {
    let (offset, end) = (bytes.startIndex, bytes.endIndex + 1)
    guard let value = try? JSONValue(parsing: bytes) else {
      return reject("the line at byte \(offset) is not JSON", end: end)
    }
    if offset == 0, let header = LogHeader(value) {
      (horizon, lastSequence, taken, soundStart) = (header.horizon, header.horizon, header.horizon, end)
      return
    }
    if value["lost"] != nil { return reject("entries of a damaged journal are lost before byte \(offset)", end: end) }
    guard let sequence = value["sequence"]?.integer, LogFile.sequences.contains(sequence) else {
      return reject("the line at byte \(offset) has no sequence", end: end)
    }
    guard let number = value["transaction"]?.integer, LogFile.sequences.contains(number), number >= sequence,
      value["time"]?.integer != nil
    else { return reject("the line at byte \(offset) is of no transaction", end: end) }
    taken = max(taken, number)
    guard sequence > lastSequence else { return reject("sequence \(sequence) after \(lastSequence)", end: end) }
    lastSequence = sequence
    if let open, open != number { lose(open, before: offset) }
    open = number > sequence ? number : nil
    if !isUnsure {
      soundLines = (soundLines?.lowerBound ?? sequence)...sequence
    } else if open == nil {
      dropAll(before: end)
    }
  }

  /// A line is wrong.
  private mutating func reject(_ problem: String, end: Int) {
    problems.append(problem)
    unreadLines += 1
    open = nil
    dropAll(before: end)
    isUnsure = true
  }

  private mutating func lose(_ transaction: Int64, before offset: Int) {
    problems.append("transaction \(transaction) lacks its last line")
    dropAll(before: offset)
    open = nil
  }

  private mutating func dropAll(before offset: Int) {
    (soundStart, soundLines, isUnsure) = (offset, nil, false)
  }
}
