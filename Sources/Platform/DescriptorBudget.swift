import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A share of the file descriptors that may stay open for later: half of those that the process may have, at most 512.
/// The process needs the others for other work, so a file that stays open beyond a call of the store is counted here.
package final class DescriptorBudget: Sendable {
  private static let taken = Atomic<Int>(0)
  private static let numbers = Atomic<Int>(0)
  private static let most = min((openFileLimit ?? 0) / 2, 512)

  /// The number of files that the process may have open; nil if it is unknown.
  static var openFileLimit: Int? {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private let count: Int

  private init(_ count: Int) { self.count = count }

  /// Reserves `count` descriptors; nil if fewer are available.
  package static func reserve(_ count: Int = 1) -> DescriptorBudget? {
    // The last reference releases the reservation, even if it exceeded the budget.
    let room = DescriptorBudget(count)
    return taken.wrappingAdd(count, ordering: .relaxed).newValue > most ? nil : room
  }

  deinit { Self.taken.wrappingSubtract(count, ordering: .relaxed) }
}

#if canImport(Glibc)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
#endif
