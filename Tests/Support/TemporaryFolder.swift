public import Foundation

/// A folder of a test's own, removed with this object: whoever writes in it holds it, so that it outlives them.
public final class TemporaryFolder: Sendable {
    /// Where it is; no `/` at its end.
    public let path: String

    /// Makes it.
    ///
    /// - Throws: When there is no room.
    public init() throws {
        path = FileManager.default.temporaryDirectory.path + "/callhub-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A test may have taken its owner's rights to it away.
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Where it is.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Writes a file, with the folders it needs.
    ///
    /// - Parameters:
    ///   - text: What is in it.
    ///   - name: Its name within the folder.
    /// - Returns: Its path.
    /// - Throws: When it cannot be written.
    public func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
