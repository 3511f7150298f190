/// The reader of standard output is gone, as with `| head`: the command ends quietly.
package struct BrokenPipe: Error {
  package init() {}
}
