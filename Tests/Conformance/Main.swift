import Foundation

/// Reads the tests' event streams: lists the proofs of each row and pitfall of CallKit's semantics, and failures.
///
/// `HubConformance write|check EVENTS DOCUMENT`, or `HubConformance failures EVENTS...`.
///
/// EVENTS is a folder of event streams, one of each test process; DOCUMENT is docs/conformance.md. The working folder
/// is the package's.
@main struct Main {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "failures" { return tellFailures(in: arguments.dropFirst()) }
        guard arguments.count == 3, let mode = Mode(rawValue: arguments[0]) else {
            exit(saying: [
                "usage: HubConformance write|check EVENTS DOCUMENT", "   or: HubConformance failures EVENTS...",
            ])
        }
        let events = URL(filePath: arguments[1])
        let document = URL(filePath: arguments[2])
        let run: TestRun
        do {
            run = try TestRun(eventsIn: events, package: FileManager.default.currentDirectoryPath)
        } catch {
            exit(saying: ["\(events.relativePath) has no run that can be read (\(error)); `make test` makes one."])
        }
        let proof = Proof(of: Point.all, by: run)
        switch mode {
        case .write:
            try proof.document.write(to: document, atomically: true, encoding: .utf8)
        case .check:
            // An absent file differs too.
            if (try? String(contentsOf: document, encoding: .utf8)) != proof.document {
                exit(
                    saying: proof.complaints + [
                        "\(document.relativePath) is not what this run gives; `make conformance` writes it anew."
                    ]
                )
            }
        }
        guard proof.complaints.isEmpty else { exit(saying: proof.complaints) }
        print(proof.summary)
    }

    /// Prints the failures, as the last lines of a test run.
    private static func tellFailures(in folders: ArraySlice<String>) {
        let package = FileManager.default.currentDirectoryPath
        for folder in folders {
            guard let run = try? TestRun(eventsIn: URL(filePath: folder), package: package) else { continue }
            let told = run.failures
            if !told.isEmpty { print((["Of the run in \(folder):"] + told).joined(separator: "\n")) }
        }
    }

    private enum Mode: String {
        case write
        case check
    }

    private static func exit(saying lines: [String]) -> Never {
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
        Foundation.exit(1)
    }
}
