#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A library that is looked up while the program runs, so that nothing has to be there when it is built. It stays open.
struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Nil where there is none.
  init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.handle = handle
  }

  /// A function by its name; nil where the library has none such. Its type is the caller's word.
  func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
