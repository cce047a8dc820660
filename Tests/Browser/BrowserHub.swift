import Foundation
import HubTestSupport

/// A hub process that serves the web phone, and the pages of the tests under `/tests/`.
///
/// It keeps its port and its data when it is killed and started again.
public final class BrowserHub: Sendable {
    /// The TCP port that the hub listens on, on 127.0.0.1.
    public let port: Int
    private let folder: TemporaryFolder
    private let process: Locked<GuardedProcess?>

    /// Starts a hub on a free port.
    ///
    /// - Parameters:
    ///   - phone: The folder of the phone; nil: the checkout's `web-static`.
    ///   - pages: A folder whose files are served under `/tests/` too; nil: only the files of BrowserKit.
    ///   - settings: Settings to merge into the hub's configuration, section by section.
    /// - Throws: ``BrowserError`` when the hub does not listen within 60 s, or an error of the file system.
    public init(phone: String? = nil, pages: String? = nil, settings: [String: JSON] = [:]) async throws {
        folder = try TemporaryFolder()
        let phone = phone ?? SourceTree.path("web-static")
        try Self.copyPages(pages.map { [$0] } ?? [], phone: phone, in: folder.path + "/web")
        var configuration: [String: JSON] = [
            "http": ["staticFilesDirectory": .string(folder.path + "/web")],
            "drain": ["graceSeconds": 0, "retryJitterSeconds": 0], "log": ["level": "warning"],
        ]
        configuration.merge(settings) { .object($0.members.merging($1.members) { $1 }) }
        _ = try folder.write(JSON.object(configuration).description, to: "callhub.json")
        let program = try Self.start(in: folder, port: 0)
        let line = try await Self.waitForStart(of: program)
        port = line.split { !$0.isNumber }.compactMap { Int($0) }.last { $0 > 1023 } ?? 0
        process = Locked(program)
    }

    /// The base URL of the hub's pages, with a final slash.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// Waits for a line of the hub's output.
    ///
    /// - Parameter words: The words of the line.
    /// - Returns: The line.
    /// - Throws: ``BrowserError`` when the hub prints none within 30 s.
    public func line(with words: String) async throws -> String {
        let line = await process.withLock { $0 }?.output.line(within: .seconds(30)) { $0.contains(words) }
        guard let line else { throw BrowserError("the hub printed no line with \(words)") }
        return line
    }

    /// Kills the hub, as a crash of its machine does.
    public func kill() {
        // The process ends when its object is released.
        process.withLock { $0 = nil }
    }

    /// Starts the hub again on the same port, with the same data.
    ///
    /// - Throws: ``BrowserError`` when the hub does not listen within 60 s.
    public func start() async throws {
        let program = try Self.start(in: folder, port: port)
        _ = try await Self.waitForStart(of: program)
        process.withLock { $0 = program }
    }

    /// Creates an invitation link by `callhub link create`.
    ///
    /// - Parameters:
    ///   - handle: The handle that guests may call.
    ///   - options: The options of the command.
    /// - Returns: The link, whose page is this hub's.
    /// - Throws: ``BrowserError`` when the command prints no link within 30 s.
    public func link(_ handle: String, _ options: [String] = []) async throws -> String {
        try await printedLink(of: ["link", "create", handle] + options, with: "#call=")
    }

    /// Creates an invitation by `callhub invite`.
    ///
    /// - Parameter arguments: The subcommand and its options, such as `["account", "alice"]`.
    /// - Returns: The short link, whose page is this hub's.
    /// - Throws: ``BrowserError`` when the command prints no link within 30 s.
    public func invitation(_ arguments: [String]) async throws -> String {
        try await printedLink(of: ["invite"] + arguments, with: "#i=")
    }

    private func printedLink(of arguments: [String], with mark: String) async throws -> String {
        let program = try GuardedProcess(
            [Program.path] + arguments + ["--url", url, "--data", folder.path + "/data"]
        )
        let line = await program.output.line(within: .seconds(30)) { $0.contains(mark) }
        guard let line else { throw BrowserError("no link was created: \(program.output.text)") }
        return line
    }

    /// Runs a command of `callhub account` on the hub's database.
    ///
    /// - Parameters:
    ///   - words: The command's words, such as `add`, `alice`.
    ///   - password: The password on standard input; nil: none.
    /// - Throws: ``BrowserError`` when the command does not succeed within 30 s.
    public func account(_ words: [String], password: String? = nil) async throws {
        let options = ["--data", folder.path + "/data"] + (password == nil ? [] : ["--password-stdin"])
        let script = "printf '%s\\n' \"$PASSWORD\" | \"$0\" account \"$@\" && echo succeeded"
        let program = try GuardedProcess(
            ["sh", "-c", script, Program.path] + words + options,
            environment: ["PASSWORD": password ?? ""]
        )
        let line = await program.output.line(within: .seconds(30)) { $0 == "succeeded" }
        guard line != nil else { throw BrowserError("account \(words) failed: \(program.output.text)") }
    }

    private static func start(in folder: TemporaryFolder, port: Int) throws -> GuardedProcess {
        try GuardedProcess([
            Program.path, "serve", "--listen", "127.0.0.1:\(port)", "--data", folder.path + "/data", "--config",
            folder.path + "/callhub.json",
        ])
    }

    private static func waitForStart(of program: GuardedProcess) async throws -> String {
        let line = await program.output.line(within: .seconds(60)) { $0.contains("listens on") }
        guard let line else { throw BrowserError("the hub did not start: \(program.output.text)") }
        return line
    }

    /// Copies the web phone, the example of the documentation and the pages of the tests into a folder.
    ///
    /// They are copies because the hub follows no symbolic link out of its folder.
    private static func copyPages(_ pages: [String], phone: String, in folder: String) throws {
        let files = FileManager.default
        try files.copyItem(atPath: phone, toPath: folder)
        try files.copyItem(atPath: SourceTree.path("docs/example"), toPath: folder + "/example")
        try files.createDirectory(atPath: folder + "/tests", withIntermediateDirectories: true)
        for source in [SourceTree.path("Tests/Browser/Page")] + pages {
            for name in try files.contentsOfDirectory(atPath: source) {
                try files.copyItem(atPath: source + "/" + name, toPath: folder + "/tests/" + name)
            }
        }
    }
}

/// The source checkout that the tests were built from.
public enum SourceTree {
    /// Returns the absolute path of a file or folder of the checkout.
    ///
    /// - Parameter name: A path relative to the checkout.
    /// - Returns: The absolute path.
    public static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: name).path
    }
}
