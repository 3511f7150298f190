import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The compiler's own index of a build: which source line defines and refers to what. Read with the library that comes
/// with the toolchain.
final class IndexStore {
  struct Occurrence {
    /// Identifies a declaration among all overloads.
    var usr: String
    var name: String
    var line: Int
    var isDefinition: Bool
    var isReference: Bool
  }

  private typealias Handle = UnsafeMutableRawPointer
  /// A pointer and a length, as the library's strings have them.
  private typealias Text = iovec
  private typealias Failure = UnsafeMutablePointer<Handle?>
  private typealias Open = @convention(c) (Handle, UnsafePointer<CChar>, Failure?) -> Handle?
  private typealias Visit = @convention(c) (Handle?, Handle) -> Bool

  private let library: Handle
  private let store: Handle

  /// The index that was made while these tests were built; nil without one, or without a toolchain.
  static func ofThisBuild() -> IndexStore? {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let index = program.deletingLastPathComponent().appendingPathComponent("index/store")
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

  private final class Gathered<Element> {
    var list: [Element] = []
  }

  /// What stands in each source file that `isWanted`, by the file's path.
  func occurrences(in isWanted: (String) -> Bool) -> [String: [Occurrence]] {
    typealias VisitUnits = @convention(c) (Handle, UInt32, Handle?, @convention(c) (Handle?, Text) -> Bool) -> Bool
    let units = Gathered<String>()
    _ = function("store_units_apply_f", VisitUnits.self)(store, 0, Unmanaged.passUnretained(units).toOpaque()) {
      context, name in
      if let context {
        Unmanaged<Gathered<String>>.fromOpaque(context).takeUnretainedValue().list.append(IndexStore.string(name))
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
    typealias VisitDependencies = @convention(c) (Handle, Handle?, Visit) -> Bool
    let names = Gathered<String>()
    let kind = function("unit_dependency_get_kind", (@convention(c) (Handle) -> UInt32).self)
    let name = function("unit_dependency_get_name", (@convention(c) (Handle) -> Text).self)
    let context = Dependencies(kind: { kind($0) == 2 }, name: { Self.string(name($0)) }, names: names)
    _ = function("unit_reader_dependencies_apply_f", VisitDependencies.self)(
      unit, Unmanaged.passUnretained(context).toOpaque()
    ) { context, dependency in
      if let context {
        Unmanaged<Dependencies>.fromOpaque(context).takeUnretainedValue().add(dependency)
      }
      return true
    }
    return names.list
  }

  private final class Dependencies {
    private let isRecord: (Handle) -> Bool
    private let name: (Handle) -> String
    private let names: Gathered<String>

    init(kind: @escaping (Handle) -> Bool, name: @escaping (Handle) -> String, names: Gathered<String>) {
      (isRecord, self.name, self.names) = (kind, name, names)
    }

    func add(_ dependency: Handle) { if isRecord(dependency) { names.list.append(name(dependency)) } }
  }

  private final class Occurrences {
    private let read: (Handle) -> Occurrence
    var list: [Occurrence] = []

    init(_ read: @escaping (Handle) -> Occurrence) { self.read = read }

    func add(_ occurrence: Handle) { list.append(read(occurrence)) }
  }

  private func occurrences(inRecord record: String) -> [Occurrence] {
    guard let reader = function("record_reader_create", Open.self)(store, record, nil) else { return [] }
    defer { function("record_reader_dispose", (@convention(c) (Handle) -> Void).self)(reader) }
    let symbol = function("occurrence_get_symbol", (@convention(c) (Handle) -> Handle).self)
    let roles = function("occurrence_get_roles", (@convention(c) (Handle) -> UInt64).self)
    typealias Place = @convention(c) (Handle, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    let place = function("occurrence_get_line_col", Place.self)
    let usr = function("symbol_get_usr", (@convention(c) (Handle) -> Text).self)
    let name = function("symbol_get_name", (@convention(c) (Handle) -> Text).self)
    let gathered = Occurrences { occurrence in
      var (line, column): (UInt32, UInt32) = (0, 0)
      place(occurrence, &line, &column)
      let (roles, symbol) = (roles(occurrence), symbol(occurrence))
      return Occurrence(
        usr: Self.string(usr(symbol)), name: Self.string(name(symbol)), line: Int(line), isDefinition: roles & 2 != 0,
        isReference: roles & 4 != 0)
    }
    typealias VisitOccurrences = @convention(c) (Handle, Handle?, Visit) -> Bool
    _ = function("record_reader_occurrences_apply_f", VisitOccurrences.self)(
      reader, Unmanaged.passUnretained(gathered).toOpaque()
    ) { context, occurrence in
      if let context { Unmanaged<Occurrences>.fromOpaque(context).takeUnretainedValue().add(occurrence) }
      return true
    }
    return gathered.list
  }
}
