import HubWire

func fuzzJSONRPC(_ bytes: [UInt8]) {
    readAsHub(bytes)
    readAsClient(bytes)
}

/// Checks that an accepted message survives a round trip, and that a refused one gets a readable response.
private func readAsHub(_ bytes: [UInt8]) {
    let message = IncomingMessage(parsing: bytes)
    switch message.content {
    case .success(let request):
        precondition(message.method == request.method, "the method is not the request's")
        var written: [UInt8] = []
        request.encode(id: message.id, into: &written)
        let again = IncomingMessage(parsing: written)
        precondition(again.id == message.id, "the id changed")
        guard case .success(let read) = again.content else { preconditionFailure("what was taken is not taken again") }
        // Dates are written with milliseconds only, so it is the second round trip that must lose nothing.
        var twice: [UInt8] = []
        read.encode(id: again.id, into: &twice)
        precondition(twice == written, "the request changed")
    case .failure(let error):
        precondition(error.message.utf8.count < 1_000, "the error's text is not bounded")
        guard let id = message.id else { return }
        var reply: [UInt8] = []
        HubMessage.reply(id, .failure(error)).encode(into: &reply)
        precondition(RawJSON(reply) != nil, "the reply is not JSON")
        if case .number = id { return }
        guard case .reply(id, .failure(error)) = try? HubMessage(parsing: reply) else {
            preconditionFailure("the client cannot read the reply")
        }
    }
}

private func readAsClient(_ bytes: [UInt8]) {
    guard RawJSON(bytes) != nil, let message = try? HubMessage(parsing: bytes) else { return }
    var written: [UInt8] = []
    message.encode(into: &written)
    guard let again = try? HubMessage(parsing: written) else { preconditionFailure("what was read is not read again") }
    var twice: [UInt8] = []
    again.encode(into: &twice)
    precondition(twice == written, "the message changed")
}

// Match the values of patterns by equality; the standard library's `~=` does the rest.
private func ~= (error: WireError, other: WireError) -> Bool { error == other }
private func ~= (id: RequestID, other: RequestID) -> Bool { id == other }
