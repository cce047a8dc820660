import Foundation
import HubClient
import HubEngine
import HubWire

/// A program on HubClient.
final class ClientCaller: Caller {
    let name: String
    private let client: HubClient
    private let waiters = CallWaiters()

    init(_ url: String, _ name: String, _ fulfillment: Fulfillment, calls: Int) async throws {
        self.name = name
        var options = ClientOptions()
        options.fulfillment = fulfillment
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = calls
        provider.maximumCallsPerCallGroup = 1
        options.provider = provider
        client = try await HubClient.connect(to: url, account: "client-\(fulfillment)", options: options)
        let (client, waiters) = (client, waiters)
        Task {
            for await event in client.events {
                guard case .notification(let notification) = event else { continue }
                switch notification {
                case .callChanged(let call) where call.hasEnded: waiters.note(Self.uuid(call.uuid), .ended)
                case .callChanged(let call) where call.state == .connected:
                    waiters.note(Self.uuid(call.uuid), .connected)
                case .perform(_, let action, _, _, fulfilled: false):
                    Task.immediate { _ = try? await client.fulfill(action.uuid) }
                default: break
                }
            }
        }
    }

    func start() async throws -> UUID {
        let call = Self.uuid(try await client.start(.generic("echo")))
        await waiters.wait(for: call, .connected)
        return call
    }

    func mute(_ call: UUID, _ isMuted: Bool) async throws {
        try await client.request([ActionRequest(callUUID: Self.call(call), kind: .setMuted(isMuted))])
    }

    func end(_ call: UUID) async throws {
        try await client.end(Self.call(call))
        await waiters.wait(for: call, .ended)
    }

    func close() async { await client.close() }

    private static func uuid(_ call: CallUUID) -> UUID { UUID(uuidString: call.uuidText) ?? UUID() }

    private static func call(_ call: UUID) -> CallUUID { CallUUID(uuidText: call.uuidString) ?? .random() }
}
