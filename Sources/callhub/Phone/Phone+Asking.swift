import HubClient

// What the phone asks of the hub, without waiting for the answer.
extension Phone {
    /// Places a call.
    func place(_ handle: Handle) {
        let call = CallUUID.random()
        placed.insert(call)
        ask(placing: call) { client in try await client.start(handle, callUUID: call) }
    }

    /// The one key of a link's phone: it calls, and then hangs up.
    func pressKey(of link: CallLink) {
        guard !calls.isEmpty || !placed.isEmpty else { return place(link.callee) }
        let actions = calls.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        if !actions.isEmpty { ask { client in try await client.request(actions) } }
    }

    /// Answers as the hub offers it: holding the active call where that is possible.
    func answer(_ call: CallSnapshot) {
        guard let choice = call.choices.first(where: { $0.name != .decline }) else {
            return ask { client in try await client.answer(call.uuid) }
        }
        ask { client in try await client.request(choice.actions) }
    }

    /// Asks for a sign of life, and tells how long it took.
    func measureWay() {
        let post = post
        ask { client in post.yield(.wayMeasured(try await client.ping())) }
    }

    /// Asks what there is to be pulled, and goes on in `pull(_:among:)`.
    func lookElsewhere(toPull which: String?) {
        let post = post
        ask { client in post.yield(.elsewhere(try await client.callsElsewhere(), pull: which)) }
    }

    /// Asks the hub without waiting, so that events and further lines are heard meanwhile.
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

    /// Asks for the last calls, to list them or to call one of them again.
    func fetchRecents(redial number: Int? = nil) {
        let post = post
        ask { client in post.yield(.recents(try await client.recents(limit: phoneRecents), redial: number)) }
    }
}
