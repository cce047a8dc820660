import HubClient
import HubTestSupport
import ScenarioKit
import Testing

/// The calls and the connection state that a user interface shows.
struct Screen: Equatable {
    /// The calls, by their UUIDs.
    var calls: [CallUUID: CallSnapshot] = [:]
    /// The text of the connection state.
    var status = "Connected"

    /// Applies one event of a client.
    mutating func apply(_ event: ClientEvent) {
        switch event {
        case .notification(.callChanged(let call)):
            calls[call.uuid] = call.hasEnded ? nil : call
        case .connectionLost(let reason):
            status = "Reconnecting: \(reason)"
        case .resumed:
            status = "Connected"
        case .reset(let current):
            status = "Connected"
            calls = Dictionary(uniqueKeysWithValues: current.map { ($0.uuid, $0) })
        case .ended(let error):
            status = error.description
            calls = [:]
        case .notification, .refreshed, .missedNotifications, .unexpectedMessage: break
        }
    }
}

/// Requests a call, once, although the response of a request may be lost.
func startOnce(_ handle: Handle, on phone: HubClient) async throws(HubClientError) -> CallUUID {
    let uuid = CallUUID.random()
    while true {
        do throws(HubClientError) {
            return try await phone.start(handle, callUUID: uuid)
        } catch .connectionLost, .noResponse, .notConnected {
            try? await Task.sleep(for: .milliseconds(100))
        } catch .refused(let error) where error.code == .requestTransaction(.callUUIDAlreadyExists) {
            return uuid
        }
    }
}

/// The code of the article "Survive a lost connection".
struct SurviveALostConnectionTests {
    private let process: RealHub
    private let link: FaultyLink

    init() throws {
        process = try RealHub(starting: Program.path)
        link = try FaultyLink(to: Int(process.address.port))
    }

    @Test func `a call continues while the client reconnects`() async throws {
        var options = ClientOptions()
        options.timing.lostAfterIdle = .seconds(6)
        options.timing.reconnectTimeout = .seconds(30)
        let url = "ws://127.0.0.1:\(link.port)/v1"
        let phone = try await HubClient.connect(to: url, account: "alice", options: options)
        let uuid = try await startOnce(.generic("echo"), on: phone)
        var screen = Screen()
        var states: [String] = []
        for await event in phone.events {
            screen.apply(event)
            if states.last != screen.status { states.append(screen.status) }
            if case .notification(.callChanged(let call)) = event, call.state == .connected { link.reset() }
            if case .resumed = event { break }
        }
        #expect(states.count == 3 && states.last == "Connected")
        #expect(screen.calls[uuid]?.state == .connected)
        #expect(try await phone.calls().map(\.uuid) == [uuid])
    }

    @Test func `a request is repeated until it has been executed once`() async throws {
        let phone = try await HubClient.connect(to: "ws://127.0.0.1:\(link.port)/v1", account: "alice")
        link.reset()
        let uuid = try await startOnce(.generic("echo"), on: phone)
        #expect(try await phone.calls().map(\.uuid) == [uuid])
    }
}
