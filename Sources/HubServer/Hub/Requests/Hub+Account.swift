import HubEngine
import HubWire

/// Requests of users about the devices on which they are signed in (docs/protocol.md, The account).
extension Hub {
    func answer(_ request: AccountRequest, of asker: ClientSession) {
        let own = sessions.of(asker.account)
        switch request {
        case .devices(let page):
            tell(page, of: own.map(device(of:))) { .devices($0, next: $1) }
        case .signOut(let name):
            guard let session = own.first(where: { $0.name == name }) else {
                let message = "no session of this account has that name now; account.devices lists those there are"
                return refuse(WireError(.notFound, message))
            }
            reply(.success(.done))
            signOut(session, .signedOut)
        }
    }
}
