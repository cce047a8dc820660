import Foundation
import Testing

/// The sources of the engine and of the account data: SwiftPM does not stop an import of Foundation, so this does.
struct PurityTests {
    private static let forbidden = [
        "import ", ".now()", "Date(", ".random(", "UUID()", "fatalError", "try!", "as!", "precondition",
    ]

    // The search for people compares names in Unicode's normal form D, which is in the standard library.
    private static let accountDataImports = [
        "import HubEngine", "public import HubEngine", "@_spi(_Unicode) import Swift",
    ]

    @Test(arguments: [("HubEngine", []), ("HubAccountData", accountDataImports)])
    func `the engine imports nothing, its account data only the engine, and neither uses a clock or can trap`(
        target: String,
        imports: [String]
    ) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(target)")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 20)
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let code = line.trimmingPrefix { $0 == " " }
                guard !code.hasPrefix("//"), !imports.contains(String(code)) else { continue }
                for word in Self.forbidden {
                    #expect(!code.contains(word), "\(file.lastPathComponent): \(code)")
                }
            }
        }
    }
}
