import Foundation
import Testing

/// The layering rule that the package's manifest cannot express: this target is pure.
@Suite struct SourcesTests {
    private static let forbidden = [
        ".now", " Date(", "(Date(", ".random(", "UUID()", "fatalError", "try!", "precondition", "ContinuousClock",
        "unsafe ",
    ]

    @Test func `the sources import only the engine, the account data and FoundationEssentials`() throws {
        for (name, text) in try sources() {
            for line in text.split(separator: "\n") where line.contains("import ") && !line.hasPrefix("//") {
                let words = line.split(separator: " ")
                guard words.count <= 3, words.dropLast().last == "import", let module = words.last else { continue }
                #expect(["HubAccountData", "HubEngine", "FoundationEssentials"].contains(module), "\(name): \(line)")
            }
        }
    }

    @Test func `the sources use no clock, no random numbers and no traps`() throws {
        for (name, text) in try sources() {
            let found = Self.forbidden.filter(text.contains)
            #expect(found.isEmpty, "\(name)")
        }
    }

    private func sources() throws -> [(name: String, text: String)] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/HubWire")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        try #require(!files.isEmpty)
        return try files.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }
}
