import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite struct DigestTests {
  private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func publishedVectors() {
    #expect(Digest.hash64([]) == 0xEF46_DB37_51D8_E999)
    #expect(Digest.hash64(ascii("a")) == 0xD24E_C4F1_A98C_6E5B)
    #expect(Digest.hash64(ascii("abc")) == 0x44BC_2CF5_AD77_0999)
    #expect(Digest.hash64(ascii("Nobody inspects the spammish repetition")) == 0xFBCE_A83C_8A37_8BF1)
    #expect(Digest.hash64(ascii("xxhash"), seed: 20_141_025) == 0xB559_B98D_844E_0635)
  }

  @Test func hexadecimalForms() {
    #expect(Digest.hex64([]) == "ef46db3751d8e999")
    let wide = Digest.hex128(ascii("abc"))
    #expect(wide.hasPrefix("44bc2cf5ad770999"))
    #expect(wide.utf8.count == 32)
    #expect(wide.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
  }

  /// These values are in file names and logs; other values would be another format.
  @Test func formOnDisk() {
    #expect(Digest.hex128([]) == "ef46db3751d8e99939930898ec8dbf8c")
    #expect(Digest.hex128(ascii("abc")) == "44bc2cf5ad7709995dc0c851291d48ba")
  }

  @Test("a digest of pieces of any size equals the digest of the whole")
  func digestOfPiecesOfAnySizeEquals() {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      var digest = StreamingDigest()
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 0...100, using: &random))
        digest.add(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(digest.hex128 == Digest.hex128(bytes), "seed \(seed)")
      #expect(digest.count == bytes.count, "seed \(seed)")
    }
  }

  @Test func everyLengthAndByteCounts() {
    var seen: Set<UInt64> = []
    for count in 0...100 {
      var bytes = (0..<count).map { UInt8($0) }
      #expect(seen.insert(Digest.hash64(bytes)).inserted)
      for index in bytes.indices {
        bytes[index] ^= 0x80
        #expect(seen.insert(Digest.hash64(bytes)).inserted)
        bytes[index] ^= 0x80
      }
    }
  }

  @Test func alignmentDoesNotMatter() {
    let bytes = (0..<80).map { UInt8($0 * 3) }
    for offset in 1..<8 {
      let shifted = [UInt8](repeating: 0, count: offset) + bytes
      let hash = shifted.withUnsafeBytes { Digest.hash64(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
      #expect(hash == Digest.hash64(bytes))
    }
  }
}
