/// A search for whole frames after a broken one.
///
/// The effort is limited: a file filled with beginnings of frames must not keep the process busy for hours.
package struct JournalFrameSearch {
  private let bytes: [UInt8]
  private let generation: UInt64?
  package private(set) var isExhausted = false
  private var effort: Int

  /// `generation`: nil for frames of any generation.
  package init(_ bytes: [UInt8], generation: UInt64?) {
    self.bytes = bytes
    self.generation = generation
    effort = 16 * bytes.count + 1 << 20
  }

  /// The next whole frame that begins at `start` or later.
  package mutating func next(from start: Int) -> JournalFrame? {
    var position = start
    while let candidate = JournalFrame.candidate(in: bytes, from: position) {
      if let frame = JournalFrame(in: bytes, at: candidate.position, generation: generation) { return frame }
      effort -= min(candidate.claimed, bytes.count)
      if effort < 0 {
        isExhausted = true
        return nil
      }
      position = candidate.position + 1
    }
    return nil
  }
}
