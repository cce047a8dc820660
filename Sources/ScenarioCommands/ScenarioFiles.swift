import CommandLineTools
import Foundation
import HubWire
import ScenarioKit

/// The scenarios in files and folders.
struct ScenarioFiles {
    /// The scenarios in the order of the words, those of a folder by their names.
    private(set) var scenarios: [(scenario: Scenario, file: String)] = []

    /// Reads all scenarios.
    ///
    /// - Parameter words: The paths of files, and of folders of files.
    /// - Throws: `UsageError` with all errors in them.
    init(_ words: [String]) throws(UsageError) {
        var faults: [String] = []
        var files: [String] = []
        for word in words { files += try Self.files(word) }
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw UsageError("\(quoted(file)) cannot be read.")
            }
            do throws(ScenarioSyntaxErrors) {
                scenarios += try ScenarioText.scenarios(reading: [UInt8](data), file: file).map { ($0, file) }
            } catch {
                faults += error.faults.map(\.description)
            }
        }
        guard faults.isEmpty else {
            let lines = faults.map { "  \($0)\($0.hasSuffix("?") ? "" : ".")" }
            throw UsageError("invalid scenario files:\n" + lines.joined(separator: "\n"))
        }
    }

    /// Returns a file, or all scenarios in a folder and its subfolders.
    private static func files(_ word: String) throws(UsageError) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder) else {
            throw UsageError("there is no file \(quoted(word)).")
        }
        guard isFolder.boolValue else { return [word] }
        let inside = FileManager.default.enumerator(atPath: word)?.compactMap { $0 as? String } ?? []
        let files = inside.filter { $0.hasSuffix(".scenario") }.sorted()
        guard !files.isEmpty else { throw UsageError("\(quoted(word)) has no file that ends with .scenario.") }
        return files.map { word.hasSuffix("/") ? word + $0 : "\(word)/\($0)" }
    }
}
