#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Makes system calls move fewer bytes than requested, or fail by a signal first.
package struct ShortIOInjector: Sendable {
  let most: @Sendable (_ count: Int) -> Int?

  /// `most` returns the number of bytes, out of `count`, that the next system call moves, at least one; nil if a signal
  /// interrupts it before it does anything. A call that moves no bytes (open, lock, sync) passes 0, and proceeds unless
  /// the result is nil.
  package init(most: @escaping @Sendable (_ count: Int) -> Int?) { self.most = most }
}

/// The result of a system call that a signal interrupted.
func interrupted<Result: SignedInteger>() -> Result {
  errno = EINTR
  return -1
}
