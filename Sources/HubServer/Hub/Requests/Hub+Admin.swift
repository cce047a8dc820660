import HubEngine
import HubWire

/// Requests of administrators while the hub runs (docs/protocol.md, Administration).
extension Hub {
    func answer(_ request: AdminRequest, of session: ClientSession) {
        guard session.permissions.contains(.admin) else {
            let message = "this session may not administer the hub; sign in with params.permissions \"admin\""
            return refuse(WireError(.notAllowed, message))
        }
        if request.changesSomething {
            log(.info, "administrator", [("account", session.account), ("asks", "\(request.name)")])
        }
        switch request {
        case .calls(let page): tellCalls(page)
        case .devices(let page): tell(page, of: sessions.all.map(device(of:))) { .devices($0, next: $1) }
        case .accounts(let page): tell(page, of: directory.all) { .accounts($0, next: $1) }
        case .endCall(let conversation): apply(.endConversation(conversation, token: token))
        case .signOut(let name): signOut(named: name)
        case .reload:
            services.reload?()
            reply(.success(.done))
        case .drain(let grace):
            reply(.success(.done))
            drain(grace: grace ?? settings.drainGrace)
        }
    }

    /// Answers with a page of a list.
    func tell<Entry: AdminEntry>(_ page: AdminPage, of list: [Entry], as made: ([Entry], String?) -> AdminReply) {
        do throws(WireError) {
            let (entries, next) = try page.cut(list)
            reply(.success(.admin(made(entries, next))))
        } catch {
            refuse(error)
        }
    }

    // MARK: Calls

    /// Answers when the relays of all loops have counted their packets.
    private func tellCalls(_ page: AdminPage) {
        guard let asking else { return }
        let (connection, id) = (asking.connection, asking.id)
        ground?.countPackets { [weak self] packets in
            guard let self else { return }
            self.asking = Asking(connection: connection, id: id)
            tell(page, of: calls(packets)) { .calls($0, next: $1) }
            self.asking = nil
        }
    }

    private func calls(_ packets: [SessionID: UInt64]) -> [AdminCall] {
        engine.conversationSummaries.map { summary in
            let sessions = summary.caller.sessions + summary.callee.sessions
            return AdminCall(
                conversation: summary.id,
                state: summary.state,
                caller: party(summary.caller),
                callee: party(summary.callee),
                startedAt: summary.startedAt,
                connectedAt: summary.connectedAt,
                audioPackets: sessions.reduce(0) { $0 &+ Int(clamping: packets[$1] ?? 0) }
            )
        }
    }

    private func party(_ party: ConversationSummary.Party) -> AdminCall.Party {
        AdminCall.Party(
            account: party.account,
            handle: party.handle,
            devices: party.sessions.compactMap { sessions[$0]?.device.id }
        )
    }

    // MARK: Devices

    /// Describes the device of a session.
    func device(of session: ClientSession) -> AdminDevice {
        AdminDevice(
            session: session.name,
            account: session.account,
            device: session.device,
            address: session.connection.flatMap { conduct[$0]?.address.text },
            since: session.since,
            calls: ledger.livingCalls(of: session.id)
        )
    }

    private func signOut(named name: String) {
        guard let session = sessions.named(name) else {
            let message = "no session has that name now; admin.devices lists those there are"
            return refuse(WireError(.notFound, message))
        }
        reply(.success(.done))
        signOut(session, .signedOut)
    }

    /// Signs a session out: its client receives the reason, its calls end as if it had left.
    func signOut(_ session: ClientSession, _ reason: ClosingReason) {
        session.sentAway = reason
        apply(.sessionClosed(session.id))
    }
}

extension AdminRequest {
    /// Indicates that a request changes something, and does not merely read.
    fileprivate var changesSomething: Bool {
        switch self {
        case .calls, .devices, .accounts: false
        case .endCall, .signOut, .reload, .drain: true
        }
    }

    /// The name for the log.
    fileprivate var name: String {
        switch self {
        case .calls: "calls"
        case .devices: "devices"
        case .accounts: "accounts"
        case .endCall: "endCall"
        case .signOut: "signOut"
        case .reload: "reload"
        case .drain: "drain"
        }
    }
}
