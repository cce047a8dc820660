import Foundation

/// A path of its own for each test, removed with the object.
final class TemporaryFile {
    let path: String

    init(_ ending: String, _ bytes: [UInt8]? = nil) throws {
        path = NSTemporaryDirectory() + "callhub-test-\(UUID().uuidString)\(ending)"
        if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
