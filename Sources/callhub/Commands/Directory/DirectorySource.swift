/// Reads a directory file to its end, and names the lines that are wrong.
struct DirectorySource {
    let path: String
    /// Whether bad lines are left out; else nothing is loaded where there is one.
    let skipsBad: Bool
    /// How its numbers are written.
    var numbers = NumberReading()
    /// Whether it says what is to go: then the number of a number's names does not matter.
    var isRemoval = false
    /// Told of each bad line, but not of more than anybody reads.
    let complain: (String) -> Void

    /// Reads everything.
    ///
    /// - Parameter progress: Told how many lines were read.
    /// - Returns: What is to be sent, in order, and how many lines were left out.
    /// - Throws: `CommandFailure` 4, where it is not to be sent.
    func table(_ progress: (Int) -> Void) throws(CommandFailure) -> (table: DirectoryTable, badLines: Int) {
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
                    if badLines <= Self.mostComplaints { complain("\(path):\(bad.line): \(bad.fault).") }
                }
                count += 1
                if count.isMultiple(of: 4_096) { progress(reader.line) }
            }
        } catch {
            throw CommandFailure(4, error.message)
        }
        if badLines > Self.mostComplaints { complain("… and \(grouped(badLines - Self.mostComplaints)) more.") }
        guard badLines == 0 || skipsBad else {
            let lines = badLines == 1 ? "one line is" : "\(grouped(badLines)) lines are"
            throw CommandFailure(4, "\(lines) wrong and nothing was loaded; mend that, or say --skip-bad.")
        }
        table.sort()
        if !isRemoval, let number = table.crowded {
            throw CommandFailure(4, "\(number) has more than 16 names in \(path); nothing was loaded, leave 16 there.")
        }
        guard table.count > 0 else { throw CommandFailure(4, "\(path) has no entries; nothing was loaded.") }
        return (table, badLines)
    }

    /// More: a file of another kind fills the screen.
    private static let mostComplaints = 10
}
