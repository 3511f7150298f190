#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Functions of the C library on numbers. The standard library lacks them.
package enum Mathematics {
  package static func sine(_ number: Double) -> Double { sin(number) }
  package static func cosine(_ number: Double) -> Double { cos(number) }
  package static func arcSine(_ number: Double) -> Double { asin(number) }
  package static func naturalLogarithm(_ number: Double) -> Double { log(number) }
  package static func decimalLogarithm(_ number: Double) -> Double { log10(number) }
  package static func exponential(_ number: Double) -> Double { exp(number) }
  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
