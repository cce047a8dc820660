package import CommandLineTools

/// Reads a directory file to its end, and reports the lines that are wrong.
package struct DirectorySource {
    let path: String
    /// Indicates that bad lines are left out; otherwise one of them makes the whole read fail.
    let skipsBad: Bool
    /// The reader of the file's telephone numbers.
    let numbers: NumberReading
    /// Indicates that the file lists removals; then a number may have any number of names.
    let isRemoval: Bool
    /// Called with a message for each bad line, up to ten, and with one that counts the others.
    let reportBadLine: (String) -> Void

    package init(
        path: String,
        skipsBad: Bool,
        numbers: NumberReading = NumberReading(),
        isRemoval: Bool = false,
        reportBadLine: @escaping (String) -> Void
    ) {
        self.path = path
        self.skipsBad = skipsBad
        self.numbers = numbers
        self.isRemoval = isRemoval
        self.reportBadLine = reportBadLine
    }

    /// Reads all lines of the file.
    ///
    /// - Parameter progress: Called now and then with the number of lines read.
    /// - Returns: The sorted entries, and the number of bad lines left out.
    /// - Throws: `CommandFailure` with exit code 4 if the file cannot be read, has bad lines (unless they are skipped),
    ///   no entries, too many of them, or more than 16 names of one number.
    package func table(_ progress: (Int) -> Void) throws(CommandFailure) -> (table: DirectoryTable, badLines: Int) {
        var table = DirectoryTable()
        var badLines = 0
        do throws(UsageError) {
            var reader = try DirectoryFile.open(path, numbers)
            var count = 0
            while let next = try reader.next() {
                switch next {
                case .success(let line):
                    guard table.add(line) else {
                        throw UsageError("\(path) has more entries than any hub takes; load fewer.")
                    }
                case .failure(let bad):
                    badLines += 1
                    if badLines <= Self.maximumReportedBadLines { reportBadLine("\(path):\(bad.line): \(bad.fault).") }
                }
                count += 1
                if count.isMultiple(of: 4_096) { progress(reader.line) }
            }
        } catch {
            throw CommandFailure(4, error.message)
        }
        if badLines > Self.maximumReportedBadLines {
            reportBadLine("… and \(grouped(badLines - Self.maximumReportedBadLines)) more.")
        }
        guard badLines == 0 || skipsBad else {
            let lines = badLines == 1 ? "one line is" : "\(grouped(badLines)) lines are"
            throw CommandFailure(4, "\(lines) wrong and nothing was loaded; fix it, or use --skip-bad.")
        }
        table.sort()
        if !isRemoval, let number = table.overfullNumber {
            throw CommandFailure(4, "\(number) has more than 16 names in \(path); nothing was loaded, leave 16 there.")
        }
        guard table.count > 0 else { throw CommandFailure(4, "\(path) has no entries; nothing was loaded.") }
        return (table, badLines)
    }

    /// More: a file of another kind fills the screen.
    private static let maximumReportedBadLines = 10
}
