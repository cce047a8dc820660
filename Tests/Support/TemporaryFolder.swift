import Foundation

/// A folder of its own for each test, removed with the object.
final class TemporaryFolder: Sendable {
    let path: String
    var url: URL { URL(fileURLWithPath: path) }

    init() throws {
        path = NSTemporaryDirectory() + "callhub-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, with the folders it needs; gives its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
