import HubServer
import HubWire

extension ServeSettings {
    /// Checks that the settings leave no door open by mistake.
    ///
    /// - Throws: `SettingsError` if an open hub would listen beyond loopback without permission, or tokens are accepted
    ///   without an issuer and its keys.
    public func check() throws(SettingsError) {
        if let fault = reachFault ?? tokenFault { throw SettingsError(faults: [fault]) }
    }

    private var reachFault: String? {
        let address = ListenAddress(host: hub.transport.host, port: hub.transport.port)
        guard authMode == .open, !address.isLoopback, !allowsOpenBeyondLoopback else { return nil }
        return "\(address.text) allows other machines, and in open mode every client may call as any account; "
            + "listen on 127.0.0.1, or say by --allow-open (auth.allowOpenBeyondLoopback) that this is meant."
    }

    private var tokenFault: String? {
        guard authMode.usesTokens, tokens.keysFile == nil || tokens.issuer == nil else { return nil }
        return "auth.mode \(quoted(authMode.rawValue)) needs auth.tokenKeys, the file with the issuer's keys, and "
            + "auth.tokenIssuer, the issuer's name in its tokens."
    }
}
