public import Foundation

/// A push service and its browsers for tests, by implementations other than ours: `Tests/PushService/service.py`.
public final class FakePushService: @unchecked Sendable {
    /// A JSON object, as Foundation reads it.
    public typealias Object = [String: Any]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let process = Process()
    private let into = Pipe()
    private let condition = NSCondition()
    private var messages: [Object] = []
    private var taken = 0
    private var hello: Object = [:]

    /// The TCP port that it listens on.
    public var port: Int { hello["port"] as? Int ?? 0 }

    /// The path of its certificate, which is its own authority.
    public var certificate: String { hello["certificate"] as? String ?? "" }

    /// Starts the service, and returns when it listens.
    ///
    /// - Parameters:
    ///   - folder: The folder for its certificate.
    ///   - name: The host name that the certificate is for.
    /// - Throws: ``FakePushServiceError`` when there is no such Python, or it does not start.
    public init(in folder: URL, named name: String = "localhost") throws {
        let python = Self.root.appending(path: ".build/venv/bin/python")
        guard FileManager.default.isExecutableFile(atPath: python.path()) else {
            throw FakePushServiceError("there is no .build/venv: make test-python")
        }
        process.executableURL = python
        process.arguments = [Self.root.appending(path: "Tests/PushService/service.py").path(), folder.path(), name]
        let out = Pipe()
        (process.standardInput, process.standardOutput) = (into, out)
        try process.run()
        let thread = Thread { [weak self] in Self.read(from: out.fileHandleForReading) { self?.take($0) } }
        thread.start()
        hello = try next("its port") { $0["port"] != nil }
    }

    deinit {
        try? into.fileHandleForWriting.close()
        if process.isRunning { process.terminate() }
    }

    /// Returns a browser's subscription: the parameters of `push.subscribe`.
    ///
    /// - Parameter name: The path of its endpoint, which selects the service's response to messages.
    /// - Returns: The endpoint and the keys.
    public func subscription(_ name: String) -> Object {
        let keys: Object = ["p256dh": hello["p256dh"] ?? "", "auth": hello["auth"] ?? ""]
        return ["endpoint": "https://localhost:\(port)/\(name)", "keys": keys]
    }

    /// Waits for a message that fits; those before it are skipped.
    ///
    /// - Parameters:
    ///   - what: The name of the message, for the error.
    ///   - fits: Returns true for the message.
    /// - Returns: The service's report about the message.
    /// - Throws: ``FakePushServiceError`` after 30 s.
    @discardableResult
    public func next(_ what: String, where fits: (Object) -> Bool = { _ in true }) throws -> Object {
        let limit = Date(timeIntervalSinceNow: 30)
        return try condition.withLock {
            while true {
                while taken < messages.count {
                    taken += 1
                    if fits(messages[taken - 1]) { return messages[taken - 1] }
                }
                guard condition.wait(until: limit) else { throw FakePushServiceError("no \(what): \(messages)") }
            }
        }
    }

    /// All messages so far.
    public var all: [Object] { condition.withLock { messages } }

    private func take(_ line: Data) {
        guard let message = (try? JSONSerialization.jsonObject(with: line)) as? Object else { return }
        condition.withLock {
            messages.append(message)
            condition.broadcast()
        }
    }

    private static func read(from file: FileHandle, _ take: (Data) -> Void) {
        var waiting = Data()
        while true {
            let more = file.availableData
            guard !more.isEmpty else { return }
            waiting += more
            while let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
                take(Data(waiting[..<end]))
                waiting = Data(waiting[(end + 1)...])
            }
        }
    }
}

/// The error of an event that did not happen.
public struct FakePushServiceError: Error, CustomStringConvertible {
    /// A sentence that names the event.
    public let description: String

    init(_ description: String) { self.description = description }
}
