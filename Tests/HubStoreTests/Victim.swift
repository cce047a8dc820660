import Foundation
import Testing

/// The program that is killed, and its output until then.
struct Victim {
    private let process = Process()
    private let output = Pipe()
    private let lines: LineBuffer

    /// Starts it.
    init(_ words: String...) throws {
        process.executableURL = try Self.program
        process.arguments = words
        process.standardOutput = output
        lines = LineBuffer(output.fileHandleForReading)
        try process.run()
    }

    /// The test runner lies beside the programs that were built with it.
    private static var program: URL {
        get throws {
            let name = "HubStoreVictim"
            let folders = [
                Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
            ]
            let found = folders.map { $0.appending(path: name) }
                .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
            return try #require(found, "\(name) is not built")
        }
    }

    /// Kills it after a number of lines; returns its whole output.
    func killed(after count: Int) throws -> [String] {
        for _ in 0..<count { try lines.readLine() }
        kill(process.processIdentifier, SIGKILL)
        return try finished()
    }

    /// Waits for its end; returns its whole output.
    func finished() throws -> [String] {
        while try lines.readLine() {}
        process.waitUntilExit()
        return lines.all
    }
}

/// The lines received from a pipe.
private final class LineBuffer {
    private let handle: FileHandle
    private var rest: [UInt8] = []
    private(set) var all: [String] = []

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// Waits for the next line; false: there will be none.
    @discardableResult
    func readLine() throws -> Bool {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                all.append(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
                return true
            }
            // Only the available bytes: a read of a given length would wait for all of them.
            let bytes = handle.availableData
            guard !bytes.isEmpty else { return false }
            rest += bytes
        }
    }
}
