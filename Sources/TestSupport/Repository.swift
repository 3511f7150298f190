/// The folder of this package's sources. Some tests read the sources and the documentation.
package enum Repository {
  package static let path = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}
