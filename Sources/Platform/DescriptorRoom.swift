import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A place among the descriptors that may be kept open for later: the process needs the others for everything else.
final class DescriptorRoom: Sendable {
  private static let taken = Atomic<Int>(0)
  private static let numbers = Atomic<Int>(0)
  private static let most: Int = {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return 0 }
    return Int(min(limit.rlim_cur / 2, 512))
  }()

  let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue

  private init() {}

  /// Nil if all are taken.
  static func take() -> DescriptorRoom? {
    // The last reference gives the place back, that of one too many as well.
    let room = DescriptorRoom()
    return taken.wrappingAdd(1, ordering: .relaxed).newValue > most ? nil : room
  }

  deinit { Self.taken.wrappingSubtract(1, ordering: .relaxed) }
}

#if canImport(Glibc)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
#endif
