import HubEngine
import HubWire

/// Requests of administrators while the hub runs (docs/protocol.md, Administration).
extension Hub {
    func answer(_ request: AdminRequest, of session: ClientSession, _ context: RequestContext) {
        guard session.permissions.contains(.admin) else { return refuse(.noAdministrator, to: context) }
        if request.changesSomething {
            let method = request.method.rawValue.dropFirst("admin.".count)
            log(.info, "administrator request", [("account", session.account), ("method", String(method))])
        }
        switch request {
        case .calls(let page): replyWithCalls(page, to: context)
        case .devices(let page):
            reply(with: page, of: sessions.all.map(device(of:)), to: context) { .devices($0, next: $1) }
        case .accounts(let page, let search):
            reply(with: page, of: administeredAccounts(search), to: context) { .accounts($0, next: $1) }
        case .handles(let page, let search):
            reply(with: page, of: administeredHandles(search), to: context) { .handles($0, next: $1) }
        case .status: replyWithStatus(to: context)
        case .history(let since): reply(.admin(.history(history.history(since: since))), to: context)
        case .endCall(let conversation): endCall(conversation, of: session, context)
        case .signOut(let name): signOut(named: name, of: session, context)
        case .reload:
            perform(AuditAct("server.reload"), by: session, context) { hub in
                hub.services.reload?()
                hub.reply(.done, to: context)
            }
        case .drain(let grace): drain(grace, of: session, context)
        case .backup: startBackup(of: session, context)
        case .addAccount, .change, .reset, .audit, .verifyAudit: forward(request, of: session, context)
        }
    }

    private func drain(_ grace: Duration?, of session: ClientSession, _ context: RequestContext) {
        let grace = grace ?? settings.drainGrace
        let act = AuditAct("server.drain", on: nil, "\(grace.components.seconds) s")
        perform(act, by: session, context) { [id = session.id] hub in
            hub.reply(.done, to: context)
            hub.drain(grace: grace, causedBy: hub.sessions[id])
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
        transport?.countPackets { [weak self, token = context.token] counts in
            guard let self, let request = pending.remove(token) else { return }
            reply(with: page, of: calls(counts), to: request.context) { .calls($0, next: $1) }
        }
    }

    private func endCall(_ conversation: ConversationID, of session: ClientSession, _ context: RequestContext) {
        guard let summary = engine.conversationSummaries.first(where: { $0.id == conversation }) else {
            // The engine has the sentence.
            return apply(.endConversation(conversation, token: context.token), for: context, causedBy: session)
        }
        let names = [summary.caller, summary.callee].map { $0.account ?? $0.handle.value }
        let act = AuditAct("call.end", on: conversation.logText, names.joined(separator: ", "))
        perform(act, by: session, context) { [id = session.id] hub in
            let event = Event.endConversation(conversation, token: context.token)
            hub.apply(event, for: context, causedBy: hub.sessions[id])
        }
    }

    private func calls(_ counts: [SessionID: AdminAudio]) -> [AdminCall] {
        engine.conversationSummaries.map { summary in
            let sessions = summary.caller.sessions + summary.callee.sessions
            return AdminCall(
                conversation: summary.id,
                state: summary.state,
                caller: party(summary.caller, counts),
                callee: party(summary.callee, counts),
                startedAt: summary.startedAt,
                connectedAt: summary.connectedAt,
                audioPackets: sessions.reduce(0) { $0 &+ Int(clamping: counts[$1]?.received ?? 0) }
            )
        }
    }

    private func party(_ party: ConversationSummary.Party, _ counts: [SessionID: AdminAudio]) -> AdminCall.Party {
        AdminCall.Party(
            account: party.account,
            handle: party.handle,
            devices: party.sessions.compactMap { sessions[$0]?.device.id },
            // One device of a party has its audio; the others ring.
            audio: party.sessions.compactMap { counts[$0] }.max { $0.received < $1.received }
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
            calls: records.ongoingCalls(of: session.id),
            operates: session.operates
        )
    }

    private func signOut(named name: String, of administrator: ClientSession, _ context: RequestContext) {
        guard let session = sessions.named(name) else { return refuse(.unknownSession, to: context) }
        let device = session.device.name ?? session.device.id
        let act = AuditAct("session.signOut", on: session.account, device)
        perform(act, by: administrator, context) { [id = session.id, administratorID = administrator.id] hub in
            guard let session = hub.sessions[id] else { return hub.refuse(.unknownSession, to: context) }
            hub.reply(.done, to: context)
            hub.signOut(session, .signedOut, causedBy: hub.sessions[administratorID])
        }
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

extension WireError {
    fileprivate static var unknownSession: WireError {
        WireError(.notFound, "there is no session of that name; admin.devices lists the current ones")
    }
}
