import HubEngine

// Reports of calls to the hub.
extension LineParser {
    /// Reads the part behind `reports` and `cannot report`.
    mutating func report(isRefused: Bool) throws(LineSyntaxError) -> Report {
        if words.take("a call") { return try incoming(isRefused: isRefused) }
        guard words.word().map(NameSyntax.isCall) == true else {
            throw words.expected("\"a call\", or a call, such as A")
        }
        let call = try call()
        if words.take("connecting") { return .connecting(call) }
        if words.take("connected") { return .connected(call) }
        if words.take("ended") {
            try words.requireColon(before: "the reason, such as remoteEnded")
            let reasons = Keywords.endReasons.filter { $0.reason != nil }
            guard let word = words.word(), let reason = reasons.first(where: { $0.word == word })?.reason else {
                throw words.unknown("end's reason", among: reasons.map(\.word))
            }
            _ = words.take(.word)
            return .ended(call, reason)
        }
        guard words.takes(.colon) else {
            throw words.expected("\"ended\", \"connecting\", \"connected\", or \":\" and the changes of the call")
        }
        return .update(call, try update(isIncoming: false))
    }

    private mutating func incoming(isRefused: Bool) throws(LineSyntaxError) -> Report {
        let target = words.take("from") ? try target() : nil
        let name = words.take("as") ? try newCall() : nil
        var update = CallUpdate()
        // With `cannot` the last colon precedes the error.
        let colons = words.tokens[words.index...].count { $0.kind == .colon }
        if colons > (isRefused ? 1 : 0), words.takes(.colon) { update = try self.update(isIncoming: true) }
        let call = name ?? CallName(participants.nextCall)
        if name != nil || !isRefused { try self.name(call) }
        return .incoming(target, call, update)
    }

    /// Reads the changed properties of a call, separated by commas.
    private mutating func update(isIncoming: Bool) throws(LineSyntaxError) -> CallUpdate {
        var update = CallUpdate()
        repeat {
            if words.take("named") {
                update.localizedCallerName = try quoted("a name")
            } else if !isIncoming, words.take("from") {
                guard let handle = try handle() else { throw words.expected("a handle, such as phoneNumber:4912345") }
                update.remoteHandle = handle
            } else {
                let isOn = !words.take("no")
                guard let word = words.word(),
                    let path = Self.capabilityKeywords.first(where: { $0.word == word })?.path
                else {
                    throw words.unknown("quality of a call", among: ["named"] + Self.capabilityKeywords.map(\.word))
                }
                _ = words.take(.word)
                update[keyPath: path] = isOn
            }
        } while words.takes(.comma)
        return update
    }

    /// The capabilities of a call, each of which a report turns on or off.
    static var capabilityKeywords: [(word: String, path: WritableKeyPath<CallUpdate, Bool?>)] {
        [
            ("holding", \.supportsHolding), ("grouping", \.supportsGrouping), ("ungrouping", \.supportsUngrouping),
            ("DTMF", \.supportsDTMF), ("video", \.hasVideo),
        ]
    }
}
