import FaultInjection
import LocalCloudPlatform
import Synchronization

/// Disks that refuse changes.
enum UnwritableDisk {
  /// No file can be created or grow. The bytes of a file can be overwritten.
  case full
  /// Nothing can be written: the file system needs space even to overwrite bytes.
  case fullForAll
  /// A medium that became read only after its files were opened to write.
  case readOnly
  /// A process without write permission: the journal and the index can only be opened to read.
  case denied

  /// A file system on this disk. `count`: number of changing calls before the disk refuses one.
  func fileSystem(after count: Int = 0, boot: String = HostProcess.bootIdentifier) -> FileSystem {
    let calls = Counter()
    let opened = Mutex<Set<String>>([])
    return FileSystem(bootIdentifier: boot, observing: .allCalls) { call in
      if self == .denied, case .openFile(let path) = call, path.hasSuffix("/log") || path.hasSuffix("/index") {
        // The file is opened to write first.
        let isFirst = opened.withLock { $0.insert(path).inserted }
        return isFirst ? .fail(SystemError.accessDenied) : .proceed
      }
      guard call.changesTree, Int(calls.next()) > count, refuses(call) else { return .proceed }
      return .fail(code)
    }
  }

  private var code: Int32 {
    switch self {
    case .full, .fullForAll: SystemError.noSpace
    case .readOnly: SystemError.readOnly
    case .denied: SystemError.accessDenied
    }
  }

  private func refuses(_ call: FileSystemCall) -> Bool {
    switch call {
    case .syncFile, .syncDirectory, .syncFileSystem: false
    case .createFile, .makeDirectory: true
    case .write(let path, let offset, let bytes): self != .full || offset + bytes.count > Self.size(path)
    case .truncate(let path, let size): self != .full || size > Self.size(path)
    default: self == .readOnly || self == .denied
    }
  }

  private static func size(_ path: String) -> Int {
    let parts = path.split(separator: "/")
    let folder = try? Directory.open(path: "/" + parts.dropLast().joined(separator: "/"), in: FileSystem())
    return (try? folder?.size(of: String(parts.last ?? ""))).flatMap(\.self) ?? 0
  }
}
