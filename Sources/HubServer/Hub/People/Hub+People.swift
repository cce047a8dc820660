import HubAccountData
import HubEngine
import HubWire

/// Requests about the people of the house and their presence (docs/protocol.md, People and presence).
extension Hub {
    func answer(_ request: PeopleRequest, of session: ClientSession, _ context: RequestContext) {
        switch request {
        case .setAway(let isAway): setAway(isAway, session, context)
        case .photo(let handle): photo(of: handle, for: session, context)
        case .list(let search, let page):
            if let refusal = admissionControl.refusalOfPeopleRequest(by: session, at: clock.now) {
                return refuse(refusal, to: context)
            }
            list(search ?? "", page, for: session, context)
        case .subscribe(let handles):
            if let refusal = admissionControl.refusalOfPeopleRequest(by: session, at: clock.now) {
                return refuse(refusal, to: context)
            }
            subscribe(session, to: handles, context)
        }
    }

    private func setAway(_ isAway: Bool, _ session: ClientSession, _ context: RequestContext) {
        guard session.isAway != isAway else { return reply(.ignored, to: context) }
        if let refusal = admissionControl.fanOutRefusal(of: session, at: clock.now) {
            return refuse(refusal, to: context)
        }
        session.isAway = isAway
        reply(.done, to: context)
        markPresence(of: session.id, causedBy: session)
        sendPresence()
        arm()
    }

    private func list(_ search: String, _ page: AdminPage, for session: ClientSession, _ context: RequestContext) {
        var after: PeoplePosition?
        if let text = page.after {
            guard let bytes = Base64URL.bytes(of: text.utf8) else {
                let message = "params.after is none of the hub's; it must be what an answer had as next"
                return refuse(WireError(.general(.invalidArgument), message), to: context)
            }
            after = PeoplePosition(bytes: bytes)
        }
        guard session.maySeePeople else { return reply(.people([]), to: context) }
        let own = handles(of: session)
        let (entries, next) = people.index.page(
            search,
            after: after,
            limit: page.limit ?? AdminPage.longest,
            maximumBytes: PeopleService.maximumListBytes
        ) { FoldedName($0.account) != session.accountKey && !accountData.blocks(anyOf: own, $0.account) }
        let people = entries.compactMap { entry in
            entry.handles.first.map { handle in
                Person(
                    handle: handle,
                    name: entry.name,
                    department: entry.department,
                    presence: presence(of: entry.account).presence,
                    photoHash: entry.photoHash
                )
            }
        }
        reply(.people(people, next: next.map { Base64URL.text(of: $0.bytes) }), to: context)
    }

    /// Answers with the photo of a person; one that the client may not see is answered like one without a photo.
    private func photo(of handle: Handle, for session: ClientSession, _ context: RequestContext) {
        let error = WireError(.notFound, "no person that this session may see has this handle and a photo")
        guard maySee(handle, session.id), let account = accountData.directory.owner(of: handle),
            let photo = accountData.photo(of: account)
        else { return refuse(error, to: context) }
        if let bytes = photo.bytes { return reply(.photo(bytes), to: context) }
        pending.insert(context)
        accountData.readPhoto(of: nil, in: account) { [thread = transport?.thread, token = context.token] result in
            thread?.run { hub in
                switch result {
                case .success(let bytes?): hub.reply(.success(.photo(bytes)), to: token)
                case .success: hub.reply(.failure(error), to: token)
                case .failure(let fault):
                    hub.reply(.failure(WireError(.storeFailed, fault.message, retryAfterSeconds: 5)), to: token)
                }
            }
        }
    }

    private func subscribe(_ session: ClientSession, to handles: [Handle], _ context: RequestContext) {
        guard session.maySeePeople else {
            return reply(.people(handles.map { Person(handle: $0) }), to: context)
        }
        do throws(AccountDataError) {
            let people = try presence.subscribe(session.id, to: handles, on: clock.date, from: self)
            reply(.people(people), to: context)
        } catch {
            refuse(WireError(error), to: context)
        }
        sendPresence()
        arm()
    }
}

extension ClientSession {
    /// True if the session may see the people of the house: not as a guest, nor without the permission to call.
    var maySeePeople: Bool { permissions.contains(.call) && !isGuest }
}
