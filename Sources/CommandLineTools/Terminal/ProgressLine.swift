/// A line on standard error that shows progress; if that is no terminal, nothing is written.
package struct ProgressLine: ~Copyable {
    private let isShown: Bool
    private var hasText = false
    private var last: ContinuousClock.Instant?

    package init(isShown: Bool = Console.isTerminal(2)) {
        self.isShown = isShown
    }

    /// Replaces the shown text, at most every 100 ms.
    package mutating func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let last, last.duration(to: now) < Self.between { return }
        last = now
        hasText = true
        Console.err("\r\u{1B}[K" + text())
    }

    /// Erases the text, so that further output begins at the start of a line.
    package mutating func wipe() {
        guard hasText else { return }
        hasText = false
        Console.err("\r\u{1B}[K")
    }

    /// Longer: the display jumps; shorter: the terminal has more to do than the program.
    private static let between = Duration.milliseconds(100)
}

/// Formats a number with separators between the thousands: 2,000,000.
package func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return number < 0 ? "-" + text : text
}

/// Formats a count with its noun: `1 line`, `2,000 lines`.
package func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : several ?? one + "s")"
}

/// Formats a size in bytes: 512 bytes, 40 KB, 1.3 MB.
package func amount(ofBytes bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1_000) KB"
    case ..<1_000_000_000: tenths(bytes, of: 1_000_000) + " MB"
    default: tenths(bytes, of: 1_000_000_000) + " GB"
    }
}

/// Formats a duration in seconds with one decimal: 0.3 s.
package func seconds(_ duration: Duration) -> String {
    tenths(Int(duration / .milliseconds(1)), of: 1_000) + " s"
}

private func tenths(_ number: Int, of unit: Int) -> String {
    "\(number / unit).\(number % unit / (unit / 10))"
}
