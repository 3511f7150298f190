extension Directory {
  /// Tells whoever watches this folder that a file in it has grown, where the system does not by itself.
  package func announceChange() throws(SystemError) {
    #if canImport(Darwin)
      let name = ".news"
      _ = try createFile(name)
      try remove(name)
    #endif
  }
}
