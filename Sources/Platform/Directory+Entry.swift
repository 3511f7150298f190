#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Directory {
  package enum Kind: Sendable { case file, directory, other }

  package struct Entry: Sendable, Equatable {
    package var name: String
    package var kind: Kind
  }
}

extension Directory.Kind {
  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    default: self = .other
    }
  }
}
