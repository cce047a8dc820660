public import HubEngine

/// Dates in RFC 3339: written in UTC (on the wire with milliseconds), parsed in any of its forms.
///
/// An `Instant` counts nanoseconds since 1970-01-01T00:00:00Z; its range ends in the years 1677 and 2262.
public enum RFC3339 {
    /// Formats a date, truncated to 1 to 9 digits of a second: with 3 of them `2026-11-21T07:22:01.123Z`.
    public static func text(of instant: Instant, fractionDigits: Int = 3) -> String {
        var bytes = [UInt8](repeating: 0, count: maximumTextLength)
        var cursor = 0
        var buffer = bytes.mutableSpan
        put(instant, fractionDigits: fractionDigits, into: &buffer, &cursor)
        return String(decoding: bytes[..<cursor], as: UTF8.self)
    }

    /// Parses a date; nil if it is none, or outside the range of an `Instant`.
    ///
    /// It accepts any offset, any number of fractional digits (truncated to nanoseconds), `T` or a space between date
    /// and time, and second 60 (a leap second, taken as the first of the next minute).
    public static func instant(from text: String) -> Instant? {
        var reader = DateReader(text)
        return reader.instant()
    }

    /// The maximum length of a date in bytes, with nine digits of a second.
    static let maximumTextLength = 30

    /// Writes a date at a place, which is advanced.
    static func put(
        _ instant: Instant,
        fractionDigits: Int,
        into bytes: inout MutableSpan<UInt8>,
        _ cursor: inout Int
    ) {
        let (seconds, nanosecond) = floorDivision(instant.nanoseconds, by: 1_000_000_000)
        let (days, secondOfDay) = floorDivision(seconds, by: 86_400)
        let date = CivilDate(daysSince1970: days)
        bytes.put(twoDigits: date.year / 100, &cursor)
        bytes.put(twoDigits: date.year % 100, &cursor)
        bytes.put(UInt8(ascii: "-"), &cursor)
        bytes.put(twoDigits: date.month, &cursor)
        bytes.put(UInt8(ascii: "-"), &cursor)
        bytes.put(twoDigits: date.day, &cursor)
        bytes.put(UInt8(ascii: "T"), &cursor)
        bytes.put(twoDigits: secondOfDay / 3_600, &cursor)
        bytes.put(UInt8(ascii: ":"), &cursor)
        bytes.put(twoDigits: secondOfDay / 60 % 60, &cursor)
        bytes.put(UInt8(ascii: ":"), &cursor)
        bytes.put(twoDigits: secondOfDay % 60, &cursor)
        bytes.put(UInt8(ascii: "."), &cursor)
        var rest = nanosecond
        for _ in 0..<min(fractionDigits, 9) {
            bytes.put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100_000_000), &cursor)
            rest = rest % 100_000_000 * 10
        }
        bytes.put(UInt8(ascii: "Z"), &cursor)
    }
}

/// A day of the Gregorian calendar.
///
/// The two conversions count years from March, so that the leap day is the last of a year, and in eras of 400 years.
private struct CivilDate {
    var year: Int64
    var month: Int64
    var day: Int64

    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = floorDivision(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivision(yearFromMarch, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Parses a date from its first byte to its last.
private struct DateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func instant() -> Instant? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
            let date = CivilDate(year: year, month: month, day: day),
            take("T") || take("t") || take(" "),
            let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60,
            take(":"), let second = digits(2), second <= 60,
            let fraction = nanoseconds(), let offset = offsetSeconds(), rest.isEmpty
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(fraction)
        return overflow || carried ? nil : Instant(nanoseconds: sum)
    }

    private mutating func nanoseconds() -> Int64? {
        guard take(".") else { return 0 }
        var (sum, scale, count): (Int64, Int64, Int) = (0, 100_000_000, 0)
        while let byte = rest.first, byte.isDigit {
            sum += Int64(byte - UInt8(ascii: "0")) * scale
            scale /= 10
            count += 1
            rest.removeFirst()
        }
        return count > 0 ? sum : nil
    }

    private mutating func offsetSeconds() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") {
            sign = 1
        } else if take("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = digits(2), hours < 24, take(":"), let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func digits(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<count {
            guard let byte = rest.popFirst(), byte.isDigit else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}

private func floorDivision(_ dividend: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
