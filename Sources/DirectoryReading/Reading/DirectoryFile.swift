import CommandLineTools
import HubWire

/// The entry of one line of a directory file.
package enum DirectoryFileEntry: Hashable {
    /// The name to show for a number.
    case label(Int64, String)
    /// The entry that blocks a number's calls.
    case block(Int64)
}

/// The number of a bad line, with what is wrong and what would be right.
struct BadLine: Error, Hashable {
    let line: Int
    let fault: String
}

/// Reads the entries of a file one after the other, bad lines included; nil: the end of the file.
protocol DirectoryReader {
    mutating func next() throws(UsageError) -> Result<DirectoryFileEntry, BadLine>?
    /// The number of lines read so far.
    var line: Int { get }
}

/// Opens directory files of the supported formats.
package enum DirectoryFile {
    /// Opens a file with the reader that fits its name's extension.
    static func open(_ path: String, _ numbers: NumberReading) throws(UsageError) -> any DirectoryReader {
        let name = path.lowercased()
        if name.hasSuffix(".csv") { return CSVReader(try LineReader(path, longest: CSVReader.longestLine), numbers) }
        if name.hasSuffix(".vcf") || name.hasSuffix(".vcard") {
            return VCardReader(try LineReader(path, longest: VCardReader.longestLine), numbers)
        }
        throw UsageError("\(quoted(path)) is of no kind that is read; its name must end in .csv or .vcf.")
    }

    /// The file's name without its folder and extension: the default name of its call directory.
    package static func baseName(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
    }
}

/// Validates the name to show for a number, without the spaces around it.
///
/// - Throws: `DirectoryFault` if the name is empty, too long, or has a control or invisible character.
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

/// The description of an error in a line, for people.
package struct DirectoryFault: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

extension String {
    /// The text without the spaces and tabs around it.
    var trimmingSpaces: String {
        var rest = self[...]
        while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.utf8.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest.utf8.count == utf8.count ? self : String(rest)
    }
}

/// The maximum length of a name in bytes (docs/protocol.md, directory.load).
private let longestLabel = 256
