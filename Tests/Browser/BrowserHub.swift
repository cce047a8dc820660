import Foundation
import HubTestSupport

/// The real hub with the real phone's files, and the tests' own beside them under `/tests/`.
///
/// It keeps its port and what it has stored when it is killed and started again.
public final class BrowserHub: Sendable {
    /// Where it listens, on 127.0.0.1.
    public let port: Int
    private let folder: TemporaryFolder
    private let process: Locked<GuardedProcess?>

    /// Starts one.
    ///
    /// - Parameters:
    ///   - pages: A folder whose files are served under `/tests/` too; nil: those of BrowserKit alone.
    ///   - settings: Added to its configuration, section by section.
    /// - Throws: When it does not start.
    public init(pages: String? = nil, settings: [String: JSON] = [:]) async throws {
        folder = try TemporaryFolder()
        try Self.gather(pages.map { [$0] } ?? [], in: folder.path + "/web")
        var configuration: [String: JSON] = [
            "http": ["staticFilesDirectory": .string(folder.path + "/web")],
            "drain": ["graceSeconds": 0, "retryJitterSeconds": 0], "log": ["level": "warning"],
        ]
        configuration.merge(settings) { .object($0.members.merging($1.members) { $1 }) }
        _ = try folder.write(JSON.object(configuration).description, to: "callhub.json")
        let program = try Self.start(in: folder, port: 0)
        let line = try await Self.beginning(of: program)
        port = line.split { !$0.isNumber }.compactMap { Int($0) }.last { $0 > 1023 } ?? 0
        process = Locked(program)
    }

    /// Where its pages are.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// Kills it, as a lost machine.
    public func kill() {
        // It ends with its object.
        process.withLock { $0 = nil }
    }

    /// Starts it again, where it was.
    ///
    /// - Throws: When it does not start.
    public func start() async throws {
        let program = try Self.start(in: folder, port: port)
        _ = try await Self.beginning(of: program)
        process.withLock { $0 = program }
    }

    private static func start(in folder: TemporaryFolder, port: Int) throws -> GuardedProcess {
        try GuardedProcess([
            Program.path, "serve", "--listen", "127.0.0.1:\(port)", "--data", folder.path + "/data", "--config",
            folder.path + "/callhub.json",
        ])
    }

    private static func beginning(of program: GuardedProcess) async throws -> String {
        let line = await program.output.line(within: .seconds(60)) { $0.contains("listens on") }
        guard let line else { throw BrowserError("the hub did not start: \(program.output.text)") }
        return line
    }

    /// The phone's files, with the docs' example and the tests' pages beside them: copies, since the hub follows no link
    /// out of its folder.
    private static func gather(_ pages: [String], in folder: String) throws {
        let files = FileManager.default
        try files.copyItem(atPath: SourceTree.path("web-static"), toPath: folder)
        try files.copyItem(atPath: SourceTree.path("docs/example"), toPath: folder + "/example")
        try files.createDirectory(atPath: folder + "/tests", withIntermediateDirectories: true)
        for source in [SourceTree.path("Tests/Browser/Page")] + pages {
            for name in try files.contentsOfDirectory(atPath: source) {
                try files.copyItem(atPath: source + "/" + name, toPath: folder + "/tests/" + name)
            }
        }
    }
}

/// The checkout that the tests were built from.
public enum SourceTree {
    /// The path of something in it.
    ///
    /// - Parameter name: Within the checkout.
    /// - Returns: The whole path.
    public static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: name).path
    }
}
