import HubServer
import HubWire

extension ServeSettings {
    /// Checks that the settings do not give other machines access by mistake.
    ///
    /// - Throws: `SettingsError` if an open hub would listen beyond loopback without permission, or tokens are accepted
    ///   without an issuer and its keys, or there is no database of which backups could be made.
    public func check() throws(SettingsError) {
        if let fault = exposureFault ?? tokenFault ?? backupFault { throw SettingsError(faults: [fault]) }
    }

    private var exposureFault: String? {
        let address = ListenAddress(host: hub.transport.host, port: hub.transport.port)
        guard authMode == .open, !address.isLoopback, !allowsOpenBeyondLoopback else { return nil }
        return "\(address.text) allows other machines, and in open mode every client may call as any account; "
            + "listen on 127.0.0.1, or allow it by --allow-open (auth.allowOpenBeyondLoopback)."
    }

    private var backupFault: String? {
        guard backup.folder != nil, storagePath == ":memory:" else { return nil }
        return "backup.folder needs a database on the disk, and storage.path is \":memory:\"; leave one of them out."
    }

    private var tokenFault: String? {
        guard authMode.usesTokens, tokens.keysFile == nil || tokens.issuer == nil else { return nil }
        return "auth.mode \(quoted(authMode.rawValue)) needs auth.tokenKeys, the file with the issuer's keys, and "
            + "auth.tokenIssuer, the issuer's name in its tokens."
    }
}
