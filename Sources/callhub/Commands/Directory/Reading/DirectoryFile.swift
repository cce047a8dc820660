import HubWire

/// A line of a directory file: what it says of a number.
enum DirectoryLine: Hashable {
    /// What the number is called.
    case label(Int64, String)
    /// That the number may not call.
    case block(Int64)
}

/// What is wrong with a line, and what would be right; the line's number comes with it.
struct BadLine: Error, Hashable {
    let line: Int
    let fault: String
}

/// Gives what a file says, one after the other, bad lines too; nil: that was all.
protocol DirectoryReader {
    mutating func next() throws(UsageError) -> Result<DirectoryLine, BadLine>?
    /// How many lines were read.
    var line: Int { get }
}

/// The kinds of file that are read.
enum DirectoryFile {
    /// Opens a file, by the ending of its name.
    static func open(_ path: String, _ numbers: NumberReading) throws(UsageError) -> any DirectoryReader {
        let name = path.lowercased()
        if name.hasSuffix(".csv") { return CSVReader(try LineReader(path, longest: CSVReader.longestLine), numbers) }
        if name.hasSuffix(".vcf") || name.hasSuffix(".vcard") {
            return VCardReader(try LineReader(path, longest: VCardReader.longestLine), numbers)
        }
        throw UsageError("\(quoted(path)) is of no kind that is read; its name must end in .csv or .vcf.")
    }

    /// The file's name without its folder and ending: what its extension is called unless another name is said.
    static func baseName(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
    }
}

/// The name that is to be shown for a number.
///
/// - Throws: `DirectoryFault` with what is wrong.
func directoryLabel(_ text: String) throws(DirectoryFault) -> String {
    let label = text.trimmingSpaces
    guard !label.isEmpty else { throw DirectoryFault("the name is empty; it must have at least one letter") }
    guard label.utf8.count <= longestLabel else {
        throw DirectoryFault("the name has \(label.utf8.count) bytes; it must have \(longestLabel) at most")
    }
    guard label.unicodeScalars.allSatisfy(\.isReadable) else {
        throw DirectoryFault("the name \(quoted(label)) has a control or invisible character; it must have none")
    }
    return label
}

/// What is wrong with a part of a line.
struct DirectoryFault: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

extension String {
    /// Without the spaces and tabs around it.
    var trimmingSpaces: String {
        var rest = self[...]
        while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.utf8.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest.utf8.count == utf8.count ? self : String(rest)
    }
}

/// What a hub keeps at most of a name (docs/protocol.md, directory.load).
private let longestLabel = 256
