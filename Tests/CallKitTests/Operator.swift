import CallSystem
import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// A session that operates the device of an account at a simulated hub: it knows a call as soon as the hub does.
final class Operator: Sendable {
    private let hub: SimulatedHub
    private let connection: ConnectionID
    private let state: Locked<State>

    fileprivate struct State {
        var lastRequest = 0
        var calls: [CallSnapshot] = []
        var ended: [CallSnapshot] = []
        var refusals: [String] = []
    }

    init(_ hub: SimulatedHub, of account: String, _ device: String = "phone") async throws {
        let state = Locked(State())
        (self.hub, self.state) = (hub, state)
        connection = try #require(
            hub.connect { output in
                guard case .text(let text) = output.content, let message = try? HubMessage(parsing: text) else {
                    return
                }
                state.withLock { $0.take(message) }
            }
        )
        var open = SessionOpenRequest(account: account)
        open.device = SessionOpenRequest.Device(id: "screen of \(device)", name: nil)
        (open.permissions, open.operates) = ([.operate], device)
        await send(.open(open))
    }

    /// The device's calls.
    var calls: [CallSnapshot] { state.withLock { $0.calls } }

    /// The device's calls that have ended, in order, as they were announced last.
    var ended: [CallSnapshot] { state.withLock { $0.ended } }

    /// The sentences of refusals.
    var refusals: [String] { state.withLock { $0.refusals } }

    /// Taps a button of the ringing call.
    func choose(_ name: Choice.Name) async throws {
        let ringing = try #require(calls.first { $0.state == .ringing })
        let choice = try #require(ringing.choices.first { $0.name == name })
        await send(.engine(.transaction(choice.actions)))
    }

    /// Taps a button of a ringing call if one rings, and leaves.
    func chooseAny(_ number: Int) async {
        if let choices = calls.first(where: { $0.state == .ringing })?.choices, !choices.isEmpty {
            await send(.engine(.transaction(choices[number % choices.count].actions)))
        }
        hub.end(connection, isClosed: true)
        await hub.settle()
    }

    private func send(_ request: ClientRequest) async {
        let number = state.withLock { state in
            state.lastRequest += 1
            return state.lastRequest
        }
        var bytes: [UInt8] = []
        request.encode(id: RequestID(number), into: &bytes)
        let text = bytes
        hub.withHub { $0.receive(text: text, from: connection) }
        await hub.settle()
    }
}

extension Operator.State {
    fileprivate mutating func take(_ message: HubMessage) {
        switch message {
        case .reply(_, .failure(let error)): refusals.append(error.message)
        case .reply(_, .success(.opened(let opened))): calls = opened.calls
        case .notification(_, .callChanged(let call)):
            calls.removeAll { $0.uuid == call.uuid }
            if call.hasEnded { ended.append(call) } else { calls.append(call) }
        default: break
        }
    }
}
