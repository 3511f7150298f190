#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Makes system calls move fewer bytes than they are asked for, or fail by a signal first.
package struct ShortIOInjector: Sendable {
  let most: @Sendable (_ count: Int) -> Int?

  /// `most` answers how many of `count` bytes the next system call moves, at least one; nil: a signal interrupts it
  /// before it does anything. A call that moves no bytes (open, lock, sync) asks with 0, and goes ahead unless the answer
  /// is nil.
  package init(most: @escaping @Sendable (_ count: Int) -> Int?) { self.most = most }
}

/// What a system call answers that a signal interrupted.
func interrupted<Result: SignedInteger>() -> Result {
  errno = EINTR
  return -1
}
