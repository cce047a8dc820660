import HubEngine
import HubWire

/// Requests of administrators while the hub runs (docs/protocol.md, Administration).
extension Hub {
    func answer(_ request: AdminRequest, of session: ClientSession, _ context: RequestContext) {
        guard session.permissions.contains(.admin) else {
            let message = "this session may not administer the hub; sign in with params.permissions \"admin\""
            return refuse(WireError(.notAllowed, message), to: context)
        }
        if request.changesSomething {
            log(.info, "administrator request", [("account", session.account), ("method", "\(request.name)")])
        }
        switch request {
        case .calls(let page): replyWithCalls(page, to: context)
        case .devices(let page):
            reply(with: page, of: sessions.all.map(device(of:)), to: context) { .devices($0, next: $1) }
        case .accounts(let page):
            reply(with: page, of: accountData.directory.all, to: context) { .accounts($0, next: $1) }
        case .endCall(let conversation):
            apply(.endConversation(conversation, token: context.token), for: context, causedBy: session)
        case .signOut(let name): signOut(named: name, causedBy: session, context)
        case .reload:
            services.reload?()
            reply(.done, to: context)
        case .drain(let grace):
            reply(.done, to: context)
            drain(grace: grace ?? settings.drainGrace, causedBy: session)
        }
    }

    /// Answers with a page of a list.
    ///
    /// - Parameters:
    ///   - page: The requested part of the list.
    ///   - list: The whole list, in any order.
    ///   - context: The request.
    ///   - make: Makes the answer of the page's entries and the position of the next page.
    func reply<Entry: AdminEntry>(
        with page: AdminPage,
        of list: [Entry],
        to context: RequestContext,
        as make: ([Entry], String?) -> AdminReply
    ) {
        do throws(WireError) {
            let (entries, next) = try page.cut(list)
            reply(.admin(make(entries, next)), to: context)
        } catch {
            refuse(error, to: context)
        }
    }

    // MARK: Calls

    /// Answers when the relays of all loops have counted their packets.
    private func replyWithCalls(_ page: AdminPage, to context: RequestContext) {
        pending.insert(context)
        transport?.countPackets { [weak self, token = context.token] packets in
            guard let self, let request = pending.remove(token) else { return }
            reply(with: page, of: calls(packets), to: request.context) { .calls($0, next: $1) }
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
            address: session.connection.flatMap { admissionControl.address(of: $0)?.text },
            since: session.since,
            calls: records.ongoingCalls(of: session.id)
        )
    }

    private func signOut(named name: String, causedBy chargedSession: ClientSession, _ context: RequestContext) {
        guard let session = sessions.named(name) else {
            let message = "there is no session of that name; admin.devices lists the current ones"
            return refuse(WireError(.notFound, message), to: context)
        }
        reply(.done, to: context)
        signOut(session, .signedOut, causedBy: chargedSession)
    }

    /// Signs a session out: its client receives the reason, its calls end as if it had left.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - reason: The reason for the client.
    ///   - chargedSession: The session that requests it; nil: none.
    func signOut(_ session: ClientSession, _ reason: ClosingReason, causedBy chargedSession: ClientSession? = nil) {
        session.signOutReason = reason
        apply(.sessionClosed(session.id), causedBy: chargedSession)
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
