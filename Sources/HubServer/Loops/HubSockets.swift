/// The sockets of all loops as the hub sees them: its own loop's at once, the others' by word at the end of
/// the turn, or before the next packet: the gate over there must not open later than what is said through it comes.
///
/// The hub's thread.
final class HubSockets {
    private unowned let loop: ServerLoop
    private let relay: AudioRelay<Connections>
    private let path: PacketPath
    private let clock: HubClock
    private let onQuality: (LegQuality) -> Void
    private var commands: [[LoopCommand]]

    /// The sockets of a hub.
    ///
    /// - Parameters:
    ///   - loop: The hub's own, which outlives it.
    ///   - path: That loop's.
    ///   - relay: The path's.
    ///   - clock: The hub's.
    ///   - onQuality: Gets what became of the packets of an audio session of this loop.
    init(
        _ loop: ServerLoop,
        _ path: PacketPath,
        _ relay: AudioRelay<Connections>,
        _ clock: HubClock,
        onQuality: @escaping (LegQuality) -> Void
    ) {
        self.loop = loop
        self.path = path
        self.relay = relay
        self.clock = clock
        self.onQuality = onQuality
        commands = Array(repeating: [], count: loop.place.network.count)
    }

    /// See ``ServerLoop/sendText(_:to:number:isLast:)``.
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64 = 0, isLast: Bool = false) {
        if id.loop == 0 {
            loop.sendText(bytes, to: id, number: number, isLast: isLast)
        } else {
            tell(id.loop, .sendText(bytes, id, number: number, isLast: isLast))
        }
    }

    /// See ``ServerLoop/markJudged(_:_:)``.
    func markJudged(_ id: ConnectionID, _ isJudged: Bool) {
        tell(id.loop, .markJudged(id, isJudged))
    }

    /// See ``ServerLoop/markSignedIn(_:)``.
    func markSignedIn(_ id: ConnectionID) {
        tell(id.loop, .markSignedIn(id))
    }

    /// See ``ServerLoop/close(_:code:reason:)``.
    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        tell(id.loop, .close(id, code: code, reason: reason))
    }

    /// See ``ServerLoop/answer(_:with:)``.
    func answer(_ ticket: HTTPTicket, with response: HTTPResponse) {
        tell(ticket.loop, .answer(ticket, response))
    }

    /// Has a loop do something, after what it was told before.
    func tell(_ number: UInt16, _ command: LoopCommand) {
        if number == 0 {
            if let quality = command.run(on: loop, relay, at: clock.now) { onQuality(quality) }
        } else if commands.indices.contains(Int(number)) {
            commands[Int(number)].append(command)
            path.hasUnsaidWord = true
        }
    }

    /// Sends the other loops what they have to do.
    func flush() {
        guard path.hasUnsaidWord else { return }
        path.hasUnsaidWord = false
        for number in commands.indices where !commands[number].isEmpty {
            let batch = commands[number]
            commands[number] = []
            loop.place.network.mailboxes[number].post { other in
                (other.handler as? LoopAgent)?.obey(batch, on: other)
            }
        }
    }
}
