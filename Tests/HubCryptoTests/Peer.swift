import Foundation
import Testing

/// Independent implementations in Python, for interoperability tests: see `Peer/peer.py`.
enum Peer {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    private static let python = root.appending(path: ".build/venv/bin/python").path()

    /// Calls a function of the Python program and waits for its result.
    ///
    /// - Parameters:
    ///   - name: The name of a function of `peer.py`.
    ///   - request: The arguments of the function, as JSON values by name.
    /// - Returns: The function's result, as JSON values by name.
    /// - Throws: An error when the Python environment is missing, or the function fails.
    static func ask(_ name: String, _ request: [String: Any] = [:]) throws -> [String: Any] {
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "There is no .build/venv with the packages of Tests/HubCryptoTests/Peer/requirements.txt: make test-python"
        )
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [folder.appending(path: "Peer/peer.py").path()]
        let (into, out) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (into, out)
        try process.run()
        let asked = request.merging(["ask": name]) { $1 }
        try into.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: asked))
        try into.fileHandleForWriting.close()
        let answer = try out.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "peer.py has failed at \(name); its output is above")
        return try #require(JSONSerialization.jsonObject(with: answer) as? [String: Any])
    }
}
