/// As what a session asks, which says how much the account counts that was named.
package enum Part: Sendable {
  /// A program is on a device. At first the device has to be signed in to the account that was named, if one was; from
  /// then on the program follows whoever signs in there.
  case program
  /// The same, but leaves nothing in the tree.
  case onlooker
  /// A command means the account that was named, and fails on a device on which somebody else is signed in.
  case command
  /// Changes accounts and devices, and acts as nobody.
  case administrator
}
