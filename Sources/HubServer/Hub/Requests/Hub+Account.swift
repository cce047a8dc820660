import HubEngine
import HubWire

/// Requests of users about their own account (docs/protocol.md, account.devices, account.setPassword).
extension Hub {
    func answer(_ request: AccountRequest, of requester: ClientSession, _ context: RequestContext) {
        let own = sessions.of(requester.account)
        switch request {
        case .devices(let page):
            reply(with: page, of: own.map(device(of:)), to: context) { .devices($0, next: $1) }
        case .signOut(let name):
            guard let session = own.first(where: { $0.name == name }) else {
                let message = "there is no session of that name in this account; account.devices lists the current ones"
                return refuse(WireError(.notFound, message), to: context)
            }
            let act = AuditAct("session.signOut", on: requester.account, session.device.name ?? session.device.id)
            performOwn(act, by: requester, context) { [id = requester.id] hub in
                hub.reply(.done, to: context)
                guard let session = hub.sessions.named(name) else { return }
                hub.signOut(session, .signedOut, causedBy: hub.sessions[id])
            }
        case .signOutOthers:
            guard own.count > 1 else { return reply(.done, to: context) }
            let act = AuditAct("session.signOut", on: requester.account, "all other devices")
            performOwn(act, by: requester, context) { [id = requester.id, account = requester.account] hub in
                hub.reply(.done, to: context)
                let requester = hub.sessions[id]
                for session in hub.sessions.of(account) where session.id != id {
                    hub.signOut(session, .signedOut, causedBy: requester)
                }
            }
        case .setPassword(let current, let new, let keepsDevices):
            setPassword(current, new, keepsDevices: keepsDevices, of: requester, context)
        }
    }
}
