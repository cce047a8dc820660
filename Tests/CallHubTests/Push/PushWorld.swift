import Foundation
import HubTestSupport
import Testing

/// A hub that sends push messages, the push service that it sends them to, and Bob, who has a browser there.
///
/// Only one thread at a time may use it.
final class PushWorld: @unchecked Sendable {
    typealias Object = RawPhone.Object

    let peer: FakePushService
    let port: Int
    private let folder = try? TemporaryFolder()
    private let hub: Program

    /// Starts the push service and the hub.
    ///
    /// - Parameter waitSeconds: The time in seconds that a call waits for a device after a push.
    /// - Throws: An error when one of them does not start.
    init(waitSeconds: Int = 20) async throws {
        let folder = try #require(folder)
        peer = try FakePushService(in: folder.url)
        let settings = """
            {wake: {waitSeconds: \(waitSeconds)}, calls: {ringTimeoutSeconds: 60}, log: {level: "debug"},
             drain: {graceSeconds: 0},
             push: {contact: "mailto:admin@example.com", services: ["localhost:\(peer.port)"],
                    certificateAuthority: "\(peer.certificate)"}}
            """
        let file = try folder.write(settings, to: "callhub.json5")
        hub = try Program(
            ["serve", "--config", file, "--listen", "127.0.0.1:0"],
            in: folder,
            withErrors: true
        )
        let line = try await hub.line(with: "listens on")
        port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
    }

    /// The hub's log.
    var log: String { hub.printed }

    func phone(_ account: String, _ device: String = "mobile") throws -> RawPhone {
        try RawPhone(port: port, account: account, ["device": ["id": device]])
    }

    /// Signs in a phone, subscribes it to push messages, and closes its session.
    func subscribe(_ account: String = "bob", _ device: String = "mobile", _ names: String...) throws {
        let phone = try phone(account, device)
        for name in names {
            #expect(try phone.ask("push.subscribe", peer.subscription(name)).result?.isEmpty == true)
        }
        try leave(phone)
    }

    func leave(_ phone: RawPhone) throws {
        #expect(try phone.ask("session.close").result != nil)
    }

    /// Calls Bob.
    @discardableResult
    func call(from phone: RawPhone, _ callee: String = "bob") throws -> String {
        let uuid = UUID().uuidString.lowercased()
        try act(phone, "start", uuid, ["handle": ["type": "generic", "value": callee]])
        return uuid
    }

    func act(_ phone: RawPhone, _ type: String, _ uuid: Any?, _ more: Object = [:]) throws {
        let action: Object = ["type": type, "callUUID": uuid ?? ""]
        let reply = try phone.ask("transaction.request", ["actions": [action.merging(more) { $1 }]])
        #expect(reply.result != nil, "\(reply)")
    }

    /// Waits until so many push messages are finished, with any result.
    func wait(forAll count: Int) throws {
        let deadline = Deadline(seconds: 60)
        while true {
            let page = String(decoding: try HTTPReply.fetch("GET", "/metrics", port: port).body, as: UTF8.self)
            let ends = page.matches(of: /callhub_push_sent_total\{[^}]*\} (\d+)/).compactMap { Int($0.1) }
            if ends.reduce(0, +) >= count { return }
            guard !deadline.isOver else { throw RawSocketError.timedOut }
        }
    }

    /// Waits until so many push messages are finished with a result.
    func wait(for count: Int, _ result: String) throws {
        let line = "\ncallhub_push_sent_total{result=\"\(result)\"} \(count)\n"
        let deadline = Deadline(seconds: 20)
        while true {
            let page = String(decoding: try HTTPReply.fetch("GET", "/metrics", port: port).body, as: UTF8.self)
            if page.contains(line) { return }
            guard !deadline.isOver else { throw RawSocketError.timedOut }
        }
    }
}

extension FakePushService.Object {
    var text: Self { self["text"] as? Self ?? [:] }
    var headers: Self { self["headers"] as? Self ?? [:] }
    var claims: Self { self["claims"] as? Self ?? [:] }
    var path: String { self["path"] as? String ?? "" }
}
