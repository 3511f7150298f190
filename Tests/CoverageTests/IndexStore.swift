import Foundation
import LocalCloudPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The compiler's index of a build: the definitions and references of each source line. It is read with a library of
/// the toolchain.
final class IndexStore {
  struct Occurrence {
    /// Identifies a declaration among all overloads.
    var usr: String
    var name: String
    var line: Int
    var isDefinition: Bool
    var isReference: Bool
    /// For a definition, the declarations that it overrides and the requirements that it fulfils.
    var overridden: [String] = []
  }

  private typealias Handle = UnsafeMutableRawPointer
  /// A pointer and a length: the library's representation of strings.
  private typealias Text = iovec
  private typealias Failure = UnsafeMutablePointer<Handle?>
  private typealias Open = @convention(c) (Handle, UnsafePointer<CChar>, Failure?) -> Handle?
  private typealias Visit = @convention(c) (Handle?, Handle) -> Bool

  private let library: Handle
  private let store: Handle

  /// The index that the build of these tests wrote; nil without an index or a toolchain.
  static func ofThisBuild() -> IndexStore? {
    let index = URL(fileURLWithPath: HostProcess.executableFolder).appendingPathComponent("index/store")
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
    for folder in folders {
      let swift = URL(fileURLWithPath: folder + "/swift").resolvingSymlinksInPath()
      let lib = swift.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib")
      for name in ["libIndexStore.so", "libIndexStore.dylib"] {
        let path = lib.appendingPathComponent(name).path
        if let store = IndexStore(index.path, library: path) { return store }
      }
    }
    return nil
  }

  private init?(_ path: String, library libraryPath: String) {
    guard FileManager.default.fileExists(atPath: libraryPath), FileManager.default.fileExists(atPath: path),
      let library = dlopen(libraryPath, RTLD_NOW | RTLD_LOCAL)
    else { return nil }
    self.library = library
    typealias Create = @convention(c) (UnsafePointer<CChar>, Failure?) -> Handle?
    guard let create = dlsym(library, "indexstore_store_create"),
      let store = unsafeBitCast(create, to: Create.self)(path, nil)
    else { return nil }
    self.store = store
  }

  private func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function {
    guard let symbol = dlsym(library, "indexstore_" + name) else { fatalError("no indexstore_\(name)") }
    return unsafeBitCast(symbol, to: type)
  }

  private static func string(_ text: Text) -> String {
    guard let base = text.iov_base else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: base, count: text.iov_len), as: UTF8.self)
  }

  private final class CallbackValues<Element> {
    var list: [Element] = []
  }

  /// The occurrences in each source file that satisfy `isWanted`, by the file's path.
  func occurrences(in isWanted: (String) -> Bool) -> [String: [Occurrence]] {
    typealias VisitUnits = @convention(c) (Handle, UInt32, Handle?, @convention(c) (Handle?, Text) -> Bool) -> Bool
    let units = CallbackValues<String>()
    _ = function("store_units_apply_f", VisitUnits.self)(store, 0, Unmanaged.passUnretained(units).toOpaque()) {
      context, name in
      if let context {
        Unmanaged<CallbackValues<String>>.fromOpaque(context).takeUnretainedValue().list.append(IndexStore.string(name))
      }
      return true
    }
    var result: [String: [Occurrence]] = [:]
    for unit in units.list {
      guard let reader = function("unit_reader_create", Open.self)(store, unit, nil) else { continue }
      defer { function("unit_reader_dispose", (@convention(c) (Handle) -> Void).self)(reader) }
      let main = Self.string(function("unit_reader_get_main_file", (@convention(c) (Handle) -> Text).self)(reader))
      guard isWanted(main) else { continue }
      for record in records(of: reader) { result[main, default: []] += occurrences(inRecord: record) }
    }
    return result
  }

  private func records(of unit: Handle) -> [String] {
    var names: [String] = []
    let kind = function("unit_dependency_get_kind", (@convention(c) (Handle) -> UInt32).self)
    let name = function("unit_dependency_get_name", (@convention(c) (Handle) -> Text).self)
    forEach("unit_reader_dependencies", of: unit) { if kind($0) == 2 { names.append(Self.string(name($0))) } }
    return names
  }

  private final class Visitor {
    let visit: (Handle) -> Void

    init(_ visit: @escaping (Handle) -> Void) { self.visit = visit }
  }

  /// Calls `body` for each element that the library's iteration function of that name visits.
  private func forEach(_ name: String, of owner: Handle, _ body: @escaping (Handle) -> Void) {
    let visitor = Visitor(body)
    withExtendedLifetime(visitor) {
      _ = function(name + "_apply_f", (@convention(c) (Handle, Handle?, Visit) -> Bool).self)(
        owner, Unmanaged.passUnretained(visitor).toOpaque()
      ) { context, element in
        if let context { Unmanaged<Visitor>.fromOpaque(context).takeUnretainedValue().visit(element) }
        return true
      }
    }
  }

  private func occurrences(inRecord record: String) -> [Occurrence] {
    guard let reader = function("record_reader_create", Open.self)(store, record, nil) else { return [] }
    defer { function("record_reader_dispose", (@convention(c) (Handle) -> Void).self)(reader) }
    let symbol = function("occurrence_get_symbol", (@convention(c) (Handle) -> Handle).self)
    let roles = function("occurrence_get_roles", (@convention(c) (Handle) -> UInt64).self)
    let relationRoles = function("symbol_relation_get_roles", (@convention(c) (Handle) -> UInt64).self)
    let related = function("symbol_relation_get_symbol", (@convention(c) (Handle) -> Handle).self)
    typealias LineAndColumn =
      @convention(c) (Handle, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    let lineAndColumn = function("occurrence_get_line_col", LineAndColumn.self)
    let usr = function("symbol_get_usr", (@convention(c) (Handle) -> Text).self)
    let name = function("symbol_get_name", (@convention(c) (Handle) -> Text).self)
    var list: [Occurrence] = []
    forEach("record_reader_occurrences", of: reader) { found in
      var (line, column): (UInt32, UInt32) = (0, 0)
      lineAndColumn(found, &line, &column)
      let (roles, symbol) = (roles(found), symbol(found))
      var occurrence = Occurrence(
        usr: Self.string(usr(symbol)), name: Self.string(name(symbol)), line: Int(line), isDefinition: roles & 2 != 0,
        isReference: roles & 4 != 0)
      self.forEach("occurrence_relations", of: found) {
        if relationRoles($0) & 1 << 11 != 0 { occurrence.overridden.append(Self.string(usr(related($0)))) }
      }
      list.append(occurrence)
    }
    return list
  }
}
