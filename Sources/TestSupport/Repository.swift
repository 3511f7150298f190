/// The folder that this package is built from: some tests read its sources and its documentation.
package enum Repository {
  package static let path = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}
