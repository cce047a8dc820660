import HubServer
import HubWire

extension ServeSettings {
    /// Checks that the settings do not give other machines access by mistake.
    ///
    /// - Throws: `SettingsError` if an open hub would listen beyond loopback without permission, or tokens are accepted
    ///   without an issuer and its keys.
    public func check() throws(SettingsError) {
        if let fault = exposureFault ?? tokenFault { throw SettingsError(faults: [fault]) }
    }

    private var exposureFault: String? {
        let address = ListenAddress(host: hub.transport.host, port: hub.transport.port)
        guard authMode == .open, !address.isLoopback, !allowsOpenBeyondLoopback else { return nil }
        return "\(address.text) allows other machines, and in open mode every client may call as any account; "
            + "listen on 127.0.0.1, or allow it by --allow-open (auth.allowOpenBeyondLoopback)."
    }

    private var tokenFault: String? {
        guard authMode.usesTokens, tokens.keysFile == nil || tokens.issuer == nil else { return nil }
        return "auth.mode \(quoted(authMode.rawValue)) needs auth.tokenKeys, the file with the issuer's keys, and "
            + "auth.tokenIssuer, the issuer's name in its tokens."
    }
}
