import HubACME
import HubServer
import HubWire

extension ServeSettings {
    /// Checks the settings that depend on one another, whether they come from a file, a command line or a program.
    ///
    /// - Throws: `SettingsError` if an open hub could be reached by other machines without permission, tokens are
    ///   accepted without an issuer and its keys, a hub behind a proxy could be reached in another way, a certificate
    ///   cannot be ordered, a redirect leads nowhere, or there is no database of which backups could be made.
    public func check() throws(SettingsError) {
        let fault =
            exposureFault ?? proxyFault ?? tokenFault ?? openIDFault ?? acmeFault ?? redirectFault ?? backupFault
        if let fault { throw SettingsError(faults: [fault]) }
    }

    private var exposureFault: String? {
        let address = ListenAddress(host: hub.transport.host, port: hub.transport.port)
        guard authMode == .open, !allowsOpenBeyondLoopback else { return nil }
        guard !hub.transport.isBehindProxy else {
            return "http.behindProxy lets other machines in, and in open mode every client may call as any account; "
                + "set auth.mode, or allow it by --allow-open (auth.allowOpenBeyondLoopback)."
        }
        guard !address.isLoopback else { return nil }
        return "\(address.text) allows other machines, and in open mode every client may call as any account; "
            + "listen on 127.0.0.1, or allow it by --allow-open (auth.allowOpenBeyondLoopback)."
    }

    private var proxyFault: String? {
        let transport = hub.transport
        guard transport.isBehindProxy else {
            guard transport.usesProxyProtocol, transport.trustedProxies.isEmpty else { return nil }
            return "http.proxyProtocol needs the proxies' addresses in http.trustedProxies, or http.behindProxy for "
                + "one on this machine: nobody else may say who a client is."
        }
        let address = ListenAddress(host: transport.host, port: transport.port)
        guard address.isLoopback else {
            return "http.behindProxy is for a proxy on this machine, and \(address.text) is open to others; listen on "
                + "127.0.0.1, or name the proxies in http.trustedProxies instead."
        }
        guard transport.certificateFile == nil, !tls.makesOwn else {
            let setting =
                transport.certificateFile != nil ? "tls.certificate" : tls.own ? "tls.own" : "tls.acme (--domain)"
            return "http.behindProxy and \(setting) exclude each other, since the proxy has the certificate; "
                + "leave one of them out."
        }
        return nil
    }

    private var acmeFault: String? {
        let acme = tls.acme
        guard !acme.domains.isEmpty else {
            guard acme != ACMESettings(domains: []) else { return nil }
            return "tls.acme has no domains; name them in tls.acme.domains or by --domain, or leave tls.acme out."
        }
        guard hub.transport.certificateFile == nil else {
            return "tls.certificate and tls.acme (--domain) exclude each other, since the hub shows one certificate; "
                + "leave one of them out."
        }
        return acme.fault.map { "tls.acme: \($0)" }
    }

    private var redirectFault: String? {
        let transport = hub.transport
        guard let port = transport.redirectPort else { return nil }
        guard transport.usesTLS || tls.makesOwn else {
            return
                "http.redirectPort is set and the hub has no certificate; set tls.own, tls.acme or tls.certificate, or "
                + "leave it null."
        }
        guard port != transport.port || port == 0 else {
            return "http.redirectPort is \(port), as listen.port is; choose another port."
        }
        return nil
    }

    private var backupFault: String? {
        guard backup.folder != nil, storagePath == ":memory:" else { return nil }
        return "backup.folder needs a database on the disk, and storage.path is \":memory:\"; leave one of them out."
    }

    private var openIDFault: String? {
        guard openID.issuer != nil else {
            return openID == OpenIDSettings()
                ? nil : "auth.openID has no issuer; name the provider in auth.openID.issuer, or leave auth.openID out."
        }
        guard openID.clientID != nil else {
            return "auth.openID.issuer is set and auth.openID.clientID is not; the provider gives one to this hub."
        }
        guard openID.scopes.contains("openid") else {
            return "auth.openID.scopes lacks \"openid\", without which a provider sends no ID token; add it."
        }
        guard (openID.adminClaim == nil) == (openID.adminValue == nil) else {
            return "auth.openID.adminClaim and adminValue belong together; set both, or leave both null."
        }
        guard authMode.usesAccounts else {
            return "auth.openID needs accounts; set auth.mode to \"accounts\" or \"accounts+token\"."
        }
        let transport = hub.transport
        let isLocal = ListenAddress(host: transport.host, port: transport.port).isLoopback
        guard transport.publicURL != nil || transport.isBehindProxy || isLocal else {
            return "auth.openID needs http.publicURL, the address to which the provider sends users back."
        }
        return nil
    }

    private var tokenFault: String? {
        guard authMode.usesTokens, tokens.keysFile == nil || tokens.issuer == nil else { return nil }
        return "auth.mode \(quoted(authMode.rawValue)) needs auth.tokenKeys, the file with the issuer's keys, and "
            + "auth.tokenIssuer, the issuer's name in its tokens."
    }
}
