/// Counts the bytes and tokens that searches look at. Tests check that the number grows with the length of a source, and not
/// with its square.
package final class StepCounter {
  package var steps = 0

  package init() {}
}
