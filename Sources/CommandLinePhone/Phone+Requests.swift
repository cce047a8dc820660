import CommandLineClient
import HubClient

// The phone's requests to the hub, which do not wait for the response.
extension Phone {
    /// Places a call.
    func place(_ handle: Handle) {
        let call = CallUUID.random()
        placed.insert(call)
        ask(placing: call) { client in try await client.start(handle, callUUID: call) }
    }

    /// Performs the only key of a link's phone: places the call, or hangs up.
    func pressKey(of link: CallLink) {
        guard !calls.isEmpty || !placed.isEmpty else { return place(link.callee) }
        let actions = calls.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        if !actions.isEmpty { ask { client in try await client.request(actions) } }
    }

    /// Answers with the hub's suggested actions, which hold the active call if possible.
    func answer(_ call: CallSnapshot) {
        guard let choice = call.choices.first(where: { $0.name != .decline }) else {
            return ask { client in try await client.answer(call.uuid) }
        }
        ask { client in try await client.request(choice.actions) }
    }

    /// Pings the hub, and reports the round-trip time.
    func measureRoundTrip() {
        let post = post
        ask { client in post.yield(.roundTripMeasured(try await client.ping())) }
    }

    /// Requests the calls that can be pulled, and continues in `pull(_:among:)`.
    func fetchCallsOnOtherDevices(toPull which: String?) {
        let post = post
        ask { client in post.yield(.elsewhere(try await client.callsElsewhere(), pull: which)) }
    }

    /// Sends a request without waiting, so that events and further lines are handled meanwhile.
    func ask(placing call: CallUUID? = nil, _ request: @escaping @Sendable (HubClient) async throws -> Void) {
        let client = client
        let post = post
        openRequests += 1
        Task {
            do {
                try await request(client)
                post.yield(.accepted)
            } catch let error as HubClientError {
                post.yield(.refused(error, placing: call))
            }
        }
    }

    /// Requests the recent calls, to list them or to redial one of them.
    func fetchRecents(redial number: Int? = nil) {
        let post = post
        ask { client in post.yield(.recents(try await client.recents(limit: phoneRecents), redial: number)) }
    }
}
