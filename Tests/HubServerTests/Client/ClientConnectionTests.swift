import HubClient
import HubEngine
import HubTestSupport
import HubWire
import Testing

@Suite("The client library on a real hub")
struct ClientConnectionTests {
    private let hub: TestHub

    init() throws { hub = try TestHub() }

    /// A call to the echo that is connected; its SSRC.
    private func callEcho(_ phone: TestPhone) async throws -> CallUUID {
        let call = try await phone.client.start(.generic("echo"))
        try await phone.call("is connected") { $0.uuid == call && $0.state == .connected }
        return call
    }

    /// Sends packets, and waits until the hub and the phone have dealt with them; how many came back.
    private func echoed(_ count: Int, by phone: TestPhone) async throws -> Int {
        _ = phone.takeReceivedAudio()
        for _ in 0..<count { phone.client.sendAudio([0xF8, 0xFF, 0xFE], durationInSamples: 960) }
        try await phone.settle()
        return phone.takeReceivedAudio().count
    }

    @Test func `a connection that breaks in a call is resumed, and the audio continues`() async throws {
        let phone = try await hub.phone("alice")
        let call = try await callEcho(phone)
        #expect(try await echoed(5, by: phone) == 5)
        for _ in 0..<3 {
            phone.client.breakConnection()
            try await phone.next("the loss") { if case .connectionLost = $0 { true } else { nil } }
            try await phone.next("the resume") { if case .resumed = $0 { true } else { nil } }
            #expect(phone.client.currentCalls.map(\.uuid) == [call])
            #expect(try await echoed(5, by: phone) == 5)
        }
        try await phone.client.end(call)
        try await phone.call("has ended") { $0.hasEnded }
    }

    @Test func `a server that is no hub is told of in a sentence without the library's own words`() async throws {
        do throws(HubClientError) {
            _ = try await HubClient.connect(to: "ws://127.0.0.1:\(hub.port)/elsewhere", account: "alice")
            Issue.record("there is a hub elsewhere")
        } catch {
            #expect(error.description.contains("the server at this address is no hub (HTTP 404)"))
            #expect(!error.description.contains("HS:"))
        }
    }

    @Test func `a request during the outage fails at once, and succeeds when repeated afterwards`() async throws {
        let phone = try await hub.phone("alice")
        phone.client.breakConnection()
        do throws(HubClientError) {
            _ = try await phone.client.calls()
            Issue.record("there was an answer without a connection")
        } catch {
            #expect(error == .notConnected)
        }
        try await phone.next("the resume") { if case .resumed = $0 { true } else { nil } }
        #expect(try await phone.client.calls().isEmpty)
    }

    @Test func `closing a client ends its calls for the other side, and its event stream`() async throws {
        let alice = try await hub.phone("alice")
        let bob = try await hub.phone("bob")
        try await alice.client.start(.generic("bob"))
        try await bob.client.answer(try await bob.ringing().uuid)
        try await alice.call("is connected") { $0.state == .connected }
        await alice.client.close()
        let ended = try await bob.call("has ended") { $0.hasEnded }
        #expect(ended.endedReason == .remoteEnded)
        try await alice.next("the end") { if case .ended(.closed) = $0 { true } else { nil } }
        do throws(HubClientError) {
            try await alice.client.end(ended.uuid)
            Issue.record("a closed client took a request")
        } catch {
            #expect(error == .closed)
        }
    }

    @Test func `a sign-in of the same device elsewhere closes the first client permanently`() async throws {
        let first = try await hub.phone("alice") { $0.deviceID = "desk" }
        let second = try await hub.phone("alice") { $0.deviceID = "desk" }
        try await first.next("the end") {
            if case .ended(.endedByHub(reason: "replaced")) = $0 { true } else { nil }
        }
        #expect(try await second.client.calls().isEmpty)
    }

    @Test func `a refusal is a typed error with the hub's code and message`() async throws {
        let phone = try await hub.phone("alice")
        do throws(HubClientError) {
            try await phone.client.answer(.random())
            Issue.record("a call that is not there was answered")
        } catch {
            guard case .refused(let refusal) = error else {
                Issue.record("another error: \(error)")
                return
            }
            #expect(refusal.code == .requestTransaction(.unknownCallUUID))
            #expect(refusal.message.isEmpty == false)
        }
    }

    @Test func `two hundred clients hold calls on one loop`() async throws {
        let heard = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let phone = try await hub.phone("account\(number)")
                    _ = try await callEcho(phone)
                    let count = try await echoed(10, by: phone)
                    await phone.client.close()
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(heard == 2_000)
    }
}
