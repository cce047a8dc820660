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
            reply(.done, to: context)
            signOut(session, .signedOut, causedBy: requester)
        case .signOutOthers:
            reply(.done, to: context)
            for session in own where session !== requester { signOut(session, .signedOut, causedBy: requester) }
        case .setPassword(let current, let new, let keepsDevices):
            setPassword(current, new, keepsDevices: keepsDevices, of: requester, context)
        }
    }
}
