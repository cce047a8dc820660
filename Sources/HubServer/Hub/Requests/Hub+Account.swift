import HubEngine
import HubWire

/// Requests of users about the devices on which they are signed in (docs/protocol.md, account.devices).
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
        }
    }
}
