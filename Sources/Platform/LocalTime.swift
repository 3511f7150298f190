#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The seconds since 1970 of a time in the user's own time zone; nil if it can't be determined.
package func secondsOfLocalTime(
  year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
) -> Int64? {
  var fields = tm()
  fields.tm_year = Int32(year - 1900)
  fields.tm_mon = Int32(month - 1)
  fields.tm_mday = Int32(day)
  fields.tm_hour = Int32(hour)
  fields.tm_min = Int32(minute)
  fields.tm_sec = Int32(second)
  fields.tm_isdst = -1
  errno = 0
  let seconds = mktime(&fields)
  return seconds == -1 && errno != 0 ? nil : Int64(seconds)
}
