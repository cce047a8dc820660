import Foundation
import HubEngine
import HubWire
import Testing

/// `docs/protocol.md` and `docs/openrpc.json`, compared with the code.
@Suite struct DocumentsTests {
    private let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs")

    @Test func `the reference lists every error code with its name, and no other`() throws {
        let rows = try section("Errors").matches(of: /\| (-?\d+) \| ([^|]*) \|/)
        let written = try rows.map { row in
            let number = try #require(Int(row.1))
            return number < 0 ? "\(number)" : "\(number) \(row.2)"
        }
        let known = ErrorCode.known.map { code in code.name.map { "\(code.number) \($0)" } ?? "\(code.number)" }
        #expect(written == known)
    }

    @Test func `the reference lists every request and every notification, and no other`() throws {
        let requests = try
            (section("Requests") + section("Account data") + section("People and presence")
            + section("Administration"))
            .matches(of: /\n\| `([a-z]+\.[A-Za-z]+)` \|/).map { String($0.1) }
        let named = /\n(?:### |\| `)([a-z]+\.[a-z]+)(?:\n|` \|)/
        let sessions = try section("Session").matches(of: named).map { String($0.1) }
        #expect(Set(requests + sessions) == Set(ClientMethod.allCases.map(\.rawValue)))
        let told = try section("Notifications").matches(of: /\n\| `([a-z]+\.[A-Za-z]+)` \|/).map { String($0.1) }
        #expect(told == NotificationMethod.allCases.map(\.rawValue))
    }

    @Test func `the reference lists every reason and every cause, and no other`() throws {
        let words = try section("The call object").matches(of: /\n\| `([A-Za-z]+)` \| [^|`]* \|/).map { String($0.1) }
        for reason in EndReason.allCases { #expect(words.contains("\(reason)")) }
        for cause in EndCause.allCases { #expect(words.contains(cause.rawValue)) }
        let reasons = try section("Notifications").matches(of: /\n\| `([A-Za-z]+)` \|[^\n]*\| 1\d\d\d \|/).map {
            ClosingReason(rawValue: String($0.1))
        }
        #expect(reasons == [.replaced, .draining, .shutdown, .slowConsumer, .policy, .signedOut, .expired])
    }

    @Test func `the reference's example messages are what the code reads and writes`() throws {
        let messages = try dialogue()
        #expect(messages.count > 10)
        for (isClients, text) in messages {
            let bytes = Array(text.utf8)
            if isClients {
                let message = IncomingMessage(parsing: bytes)
                // The one that the dialogue shows to be wrong.
                if case .failure(let error) = message.content { #expect(error.code == .general(.invalidArgument)) }
            } else {
                var written: [UInt8] = []
                try HubMessage(parsing: bytes).encode(into: &written)
                #expect(String(decoding: written, as: UTF8.self) == text)
            }
        }
    }

    @Test func `the reference's example error is the one that the code sends`() throws {
        let messages = try dialogue()
        let wrong = try #require(messages.firstIndex { $0.text.contains(#""callUUID":"0196f3b0"}"#) })
        let request = IncomingMessage(parsing: Array(messages[wrong].text.utf8))
        guard case .failure(let error) = request.content, let id = request.id else {
            Issue.record("accepted")
            return
        }
        var reply: [UInt8] = []
        HubMessage.reply(id, .failure(error)).encode(into: &reply)
        #expect(String(decoding: reply, as: UTF8.self) == messages[wrong + 1].text)
    }

    @Test func `each test that the document of attacks names exists, and each row names one`() throws {
        let text = try String(contentsOf: docs.appending(path: "security.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| tried |") }
        #expect(rows.count > 40)
        let tests = try Self.sources(in: docs.deletingLastPathComponent().appending(path: "Tests"))
        for row in rows {
            let cells = row.dropFirst(2).dropLast(2).components(separatedBy: " | ")
            try #require(cells.count == 3, "\(row)")
            let names = cells[2].matches(of: /`([^`]+)`/).map { $0.1 }
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                let isThere = tests.contains("func `\(name)`") || tests.contains("def \(name)(")
                #expect(isThere, "there is no test \(name)")
            }
        }
    }

    /// The text of all Swift and Python files of a folder.
    private static func sources(in folder: URL) throws -> String {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { ["swift", "py"].contains($0.pathExtension) }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    @Test func `the OpenRPC description lists every method, notification and error code, and no other`() throws {
        let document = try JSONDecoder().decode(
            OpenRPC.self,
            from: Data(contentsOf: docs.appending(path: "openrpc.json"))
        )
        #expect(document.methods.map(\.name) == ClientMethod.allCases.map(\.rawValue))
        #expect(document.notifications.map(\.name) == NotificationMethod.allCases.map(\.rawValue))
        #expect(Set(document.components.errors.values.map(\.code)) == Set(ErrorCode.known.map(\.number)))
        for (key, error) in document.components.errors {
            let code = ErrorCode(number: error.code)
            #expect(key == "\(error.code)")
            #expect(error.data?.name == code.name)
            #expect(error.data?.domain == code.domain?.identifier)
            #expect(error.data?.code == code.domainCode)
        }
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `encoded messages have the members of the OpenRPC description`(seed: UInt64) throws {
        let document = try JSONDecoder().decode(
            OpenRPC.self,
            from: Data(contentsOf: docs.appending(path: "openrpc.json"))
        )
        let described = Dictionary(
            uniqueKeysWithValues: (document.methods + document.notifications).map { ($0.name, $0.params) }
        )
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            if random.flag() {
                random.clientRequest().encode(id: nil, into: &bytes)
            } else {
                random.wireNotification().encode(seq: 1, into: &bytes)
            }
            let message = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            let name = try #require(message["method"] as? String)
            let params = try #require(message["params"] as? [String: Any])
            let known = try #require(described[name])
            #expect(Set(params.keys).isSubset(of: known.map(\.name)), "\(name)")
            #expect(Set(known.filter(\.required).map(\.name)).isSubset(of: params.keys), "\(name)")
        }
    }

    // MARK: Reading the reference

    private func section(_ title: String) throws -> String {
        let text = try String(contentsOf: docs.appending(path: "protocol.md"), encoding: .utf8)
        let start = try #require(text.range(of: "\n## \(title)\n"))
        let rest = text[start.upperBound...]
        return "\n" + rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }

    /// The messages of the dialogue and of the examples, each on one line as on the wire.
    private func dialogue() throws -> [(isClients: Bool, text: String)] {
        var messages: [(isClients: Bool, text: String)] = []
        var isInside = false
        // A block without arrows is something else, such as what a push service brings.
        var hasBegun = false
        let text = try section("Example session") + section("Account data") + section("Administration")
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isInside.toggle()
                hasBegun = false
            } else if isInside, line.hasPrefix("-> ") || line.hasPrefix("<- ") {
                messages.append((line.hasPrefix("-> "), String(line.dropFirst(3))))
                hasBegun = true
            } else if hasBegun, let last = messages.indices.last {
                messages[last].text += line.trimmingPrefix(while: \.isWhitespace)
            }
        }
        return messages
    }
}

/// The parts of an OpenRPC document that are compared with the code.
private struct OpenRPC: Decodable {
    struct Method: Decodable {
        var name: String
        var params: [Param]
    }

    struct Param: Decodable {
        var name: String
        var required: Bool
    }

    struct Components: Decodable {
        var errors: [String: Fault]
    }

    struct Fault: Decodable {
        var code: Int
        var data: FaultData?
    }

    struct FaultData: Decodable {
        var name: String
        var domain: String?
        var code: Int?
    }

    var methods: [Method]
    var notifications: [Method]
    var components: Components

    enum CodingKeys: String, CodingKey {
        case methods
        case notifications = "x-notifications"
        case components
    }
}
