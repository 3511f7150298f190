import Platform

/// Where the randomness of tests comes from: the same in each run, so that whatever fails fails again.
package enum TestSeed {
  /// What `LOCALCLOUD_TEST_SEED` says, else a constant. A value that is no whole number stops the tests.
  package static let value: UInt64 = {
    guard let text = HostProcess.environment("LOCALCLOUD_TEST_SEED") else { return 20_261_124 }
    guard let seed = UInt64(text) else { fatalError("LOCALCLOUD_TEST_SEED is no whole number: \(text)") }
    return seed
  }()

  /// A seed of its own for one of several tests.
  package static func value(_ name: String) -> UInt64 {
    name.utf8.reduce(value) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
