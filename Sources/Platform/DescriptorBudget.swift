import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A share of the file descriptors that may be kept open for later: half of those that the process may have, at most
/// 512. The process needs the others for everything else, so a file that stays open beyond a call of the store takes a
/// place here.
package final class DescriptorBudget: Sendable {
  private static let taken = Atomic<Int>(0)
  private static let numbers = Atomic<Int>(0)
  private static let most: Int = {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return 0 }
    return Int(min(limit.rlim_cur / 2, 512))
  }()

  let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private let count: Int

  private init(_ count: Int) { self.count = count }

  /// Takes `count` places; nil if there are not so many.
  package static func take(_ count: Int = 1) -> DescriptorBudget? {
    // The last reference returns the places, even if there were not enough of them.
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
