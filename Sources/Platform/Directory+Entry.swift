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

  /// The entries of a directory, sorted by name as bytes. All names are in one buffer: in a large directory, texts
  /// would take several times the memory.
  package struct Entries: Sendable, RandomAccessCollection {
    private struct Span {
      var start: Int
      var count: UInt16
      var kind: Kind
    }

    private var names: [UInt8] = []
    private var spans: [Span] = []

    package var startIndex: Int { 0 }
    package var endIndex: Int { spans.count }

    package subscript(position: Int) -> Entry {
      let span = spans[position]
      let name = names[span.start..<(span.start + Int(span.count))]
      return Entry(name: String(decoding: name, as: UTF8.self), kind: span.kind)
    }

    mutating func append(_ name: UnsafeRawBufferPointer, _ kind: Kind) {
      spans.append(Span(start: names.count, count: UInt16(name.count), kind: kind))
      names.append(contentsOf: name)
    }

    mutating func sort() {
      let names = names
      names.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        spans.sort { left, right in
          let order = memcmp(start + left.start, start + right.start, Int(Swift.min(left.count, right.count)))
          return order == 0 ? left.count < right.count : order < 0
        }
      }
    }
  }
}

extension Directory.Entries: Equatable {
  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension Directory.Entries: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Directory.Entry...) {
    for var entry in elements { entry.name.withUTF8 { append(UnsafeRawBufferPointer($0), entry.kind) } }
    sort()
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
