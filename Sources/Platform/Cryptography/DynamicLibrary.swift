#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A library that is loaded at run time, so that it need not exist at build time. It stays open.
struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Nil if there is no such library.
  init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.handle = handle
  }

  /// A function by its name; nil if the library has no such function. The caller is responsible for its type.
  func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
