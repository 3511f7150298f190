/// The limits that the system sets for the process and its user.
package struct HostLimits: Sendable {
  /// The number of files that the process may have open.
  package var openFiles: Int?
  /// The number of folders that all processes of the user may watch together; nil on systems without inotify.
  package var watches: Int?
  /// The number of processes of the user that may watch folders; nil on systems without inotify.
  package var watchingProcesses: Int?

  package init(openFiles: Int?, watches: Int?, watchingProcesses: Int?) {
    (self.openFiles, self.watches, self.watchingProcesses) = (openFiles, watches, watchingProcesses)
  }

  package static var current: HostLimits {
    HostLimits(
      openFiles: DescriptorBudget.openFileLimit, watches: kernelLimit("max_user_watches"),
      watchingProcesses: kernelLimit("max_user_instances"))
  }

  private static func kernelLimit(_ name: String) -> Int? {
    FileLockHolder.text("/proc/sys/fs/inotify/\(name)").flatMap { Int($0.filter { !$0.isWhitespace }) }
  }
}
