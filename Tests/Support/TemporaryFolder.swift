public import Foundation

/// A folder for a test, deleted with this object; every object that writes in it holds a reference.
public final class TemporaryFolder: Sendable {
    /// The path of the folder, without a `/` at its end.
    public let path: String

    /// Creates the folder.
    ///
    /// - Throws: The error of the file system if it cannot be created.
    public init() throws {
        path = FileManager.default.temporaryDirectory.path + "/callhub-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A test may have removed its owner's permissions.
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The URL of the folder.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Writes a file, and creates the folders it needs.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - name: Its path within the folder.
    /// - Returns: The file's absolute path.
    /// - Throws: The error of the file system if it cannot be written.
    public func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
