import Foundation
import LocalCloudStorage
import LocalCloudStore

/// An independent reader of journals, written after the specification. It finds the files that frames refer to.
struct CorruptionJournal {
  struct Frame: Hashable {
    var bytes: [UInt8]

    /// The paths in the cloud of the files that the frame replaces, removes or appends to. `zone` is the zone's folder.
    func paths(zone: String, container: String) -> Set<String> {
      let payload = bytes.dropFirst(JournalMutator.frameHeader)
      guard payload.count >= 4 else { return [] }
      let length = payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard let description = try? JSONValue(parsing: Array(payload.dropFirst(4).prefix(length))) else { return [] }
      var result: Set<String> = []
      for effect in description["effects"]?.array ?? [] {
        for form in ["adopt", "append", "compact", "remove", "replace"] {
          guard let path = effect[form]?.string else { continue }
          if path.hasPrefix("zone/") { result.insert(zone + path.dropFirst("zone".count)) }
          if path.hasPrefix("container/") { result.insert(container + path.dropFirst("container".count)) }
        }
      }
      for mention in description["mentions"]?.array ?? [] {
        let database =
          [mention["environment"]?.string ?? ""] + (mention["scope"]?.array ?? []).map { $0.string ?? "" }
        result.insert(container + "/" + database.joined(separator: "/") + "/changes.jsonl")
      }
      for device in (description["pushes"]?.array ?? []).flatMap({ $0["devices"]?.array ?? [] }) {
        if let name = device.string { result.insert("devices/\(name)/pushes/pushes.jsonl") }
      }
      return result
    }
  }

  let bytes: [UInt8]
  let frames: [Frame]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    frames = JournalMutator.frames(bytes).map { Frame(bytes: Array(bytes[$0])) }
  }

  var header: ArraySlice<UInt8> { bytes.prefix(JournalMutator.header) }

  /// Whether a broken frame is followed by a whole frame of its generation ([journal-5]) that was not written after it
  /// unsynced ("joined"). False unless all frames are read, that is, after a boot or with an invalid header.
  func isDamaged(otherBoot: Bool) -> Bool {
    let isValid =
      bytes.count >= 48 && Array(bytes[..<8]) == Array("LCKJRNL1".utf8)
      && number(40, 8) == Digest.hash64(Array(bytes[..<40]), seed: 0)
    guard otherBoot || !isValid else { return false }
    var position = JournalMutator.header
    let generation = isValid ? number(32, 8) : whole(at: position, nil)?.generation
    while let frame = whole(at: position, generation) { position = frame.end }
    guard position < bytes.count else { return false }
    return (position + 1..<bytes.count).contains { place in
      whole(at: place, generation).map { !$0.isJoined } ?? false
    }
  }

  private func number(_ offset: Int, _ count: Int) -> UInt64 {
    bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func whole(at place: Int, _ generation: UInt64?) -> (generation: UInt64, end: Int, isJoined: Bool)? {
    guard place + JournalMutator.frameHeader <= bytes.count, bytes[place] == 0x45, number(place, 4) == 0x4C43_4B45
    else { return nil }
    let (payload, own) = (place + JournalMutator.frameHeader, number(place + 24, 8))
    let end = payload + Int(number(place + 4, 4))
    guard generation == nil || generation == own, end <= bytes.count else { return nil }
    let seed = Digest.hash64(Array(bytes[(place + 24)..<(place + 32)]), seed: number(place + 16, 8))
    guard Digest.hash64(Array(bytes[payload..<end]), seed: seed) == number(place + 8, 8) else { return nil }
    let isJoined = Data(bytes[payload..<end]).range(of: Data("\"joined\"".utf8)) != nil
    return (own, end, isJoined)
  }

  /// The bytes at the offset where the header says that the next frame begins.
  private func next(at offset: Int) -> [UInt8] {
    guard offset >= 0, offset < bytes.count else { return [UInt8](repeating: 0, count: JournalMutator.frameHeader) }
    let found = bytes[offset...].prefix(JournalMutator.frameHeader)
    return found + [UInt8](repeating: 0, count: JournalMutator.frameHeader - found.count)
  }

  private var applied: Int {
    guard bytes.count >= 16 else { return 0 }
    return bytes[8..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether a user of the zone reads the frames. They are not read if all of them are applied and the boot is the
  /// same.
  func isRead(inPlaceOf old: CorruptionJournal, otherBoot: Bool) -> Bool {
    otherBoot || header != old.header || next(at: old.applied) != old.next(at: old.applied)
  }

  /// The frames that are whole in only one of the two journals.
  func frames(otherThan old: CorruptionJournal) -> [Frame] {
    let (here, there) = (Set(frames), Set(old.frames))
    let data = Data(bytes)
    let lost = old.frames.filter { !here.contains($0) && data.range(of: Data($0.bytes)) == nil }
    return lost + frames.filter { !there.contains($0) }
  }
}
