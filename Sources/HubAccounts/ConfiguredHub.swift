import Foundation
public import HubConfiguration
import HubCrypto
import HubEngine
public import HubServer
import HubStore
package import HubWire

/// A hub with the services that its settings configure: database, sign-in by password and token, push notifications.
public final class ConfiguredHub: Sendable {
    /// The running hub.
    public let server: HubServer
    private let store: Store
    private let changes: AccountChangeHandler
    private let tokens: TokenAuthenticator
    private let push: HubPush?
    private let keeper: CertificateKeeper?
    private let openID: HubOpenID?
    private let backup: NightlyBackup?
    private let audit: AuditKeeper
    private let settings: ServeSettings
    private let log: HubLog

    private init(
        _ server: HubServer,
        _ settings: ServeSettings,
        _ store: Store,
        _ changes: AccountChangeHandler,
        _ tokens: TokenAuthenticator,
        _ push: HubPush?,
        _ keeper: CertificateKeeper?,
        _ openID: HubOpenID?,
        _ backup: NightlyBackup?,
        _ audit: AuditKeeper,
        _ log: HubLog
    ) {
        self.audit = audit
        self.server = server
        self.settings = settings
        self.store = store
        self.changes = changes
        self.tokens = tokens
        self.push = push
        self.keeper = keeper
        self.openID = openID
        self.backup = backup
        self.log = log
    }

    /// The hub's own certificate authority, for devices to trust, while its certificate is shown.
    public var authority: AuthorityCertificate? {
        if case .own(_, let authority)? = keeper?.current { authority } else { nil }
    }

    /// Indicates that the hub had no account when it was asked last, so that nobody can sign in.
    public var needsSetup: Bool { changes.isSetupNeeded }

    /// Invites the owner of a hub that has no account, by a link that replaces the one before.
    ///
    /// Blocks until the invitation is stored.
    ///
    /// - Parameter operator: The system user who invites.
    /// - Returns: The invitation; nil: the hub has an account.
    /// - Throws: `ServeError` if the database cannot be written.
    package func inviteOwner(by operator: AuditActor) throws(ServeError) -> OwnerInvitation? {
        guard settings.authMode.usesAccounts else { return nil }
        do throws(StoreError) {
            return try store.wait { file throws(StoreError) in try OwnerInvitation(by: `operator`, in: file) }
        } catch {
            throw ServeError("\(error.description).")
        }
    }

    /// Invites somebody to an account, by a link that can be used once, for a week.
    ///
    /// Blocks until the invitation is stored.
    ///
    /// - Parameter operator: The system user who invites.
    /// - Returns: The invitation.
    /// - Throws: `ServeError` if the database cannot be written.
    package func inviteToAccount(by operator: AuditActor) throws(ServeError) -> OperatorInvitation {
        do throws(StoreError) {
            return try store.wait { file throws(StoreError) in
                try OperatorInvitation(
                    for: .account(StoredInvitation.NewAccountOffer(role: .user)),
                    until: .now + .seconds(OperatorInvitation.usualHoursOfAccounts * 3_600),
                    by: `operator`,
                    in: file
                )
            }
        } catch {
            throw ServeError("\(error.description).")
        }
    }

    /// Calls a body once, on any thread, when a hub without accounts gets its first one.
    ///
    /// - Parameter body: Called with the name of the account.
    public func whenSetUp(_ body: @escaping @Sendable (String) -> Void) { changes.firstAccount.resolve(body) }

    /// Starts a hub, which listens when this method returns.
    ///
    /// Without `storagePath` no data is stored on disk; `ServeSettings.resolve` fills it in.
    ///
    /// - Parameter settings: The settings of the hub and its services.
    /// - Returns: The running hub.
    /// - Throws: `SettingsError` as `ServeSettings.check()`; `ServeError` if the database cannot be opened or read, the
    ///   file of token keys cannot be read or is not a JSON Web Key Set, the OpenID client's secret cannot be read, the
    ///   logo is no PNG
    ///   or SVG file, the contact, the key or the certificate file for push notifications is unusable, or the hub's own
    ///   certificate cannot be made or read; `TransportError`, `MediaError` and `LineFileError` as
    ///   `HubServer.start`.
    public static func start(_ settings: ServeSettings) throws -> ConfiguredHub {
        try settings.check()
        var settings = settings
        settings.hub.recentsRetention = .seconds(86_400 * settings.recentsDays)
        settings.hub.metrics.historyInterval = .seconds(10)
        if settings.hub.transport.isBehindProxy { settings.hub.transport.trustedProxies += AddressRange.loopback }
        let log = HubLog(settings: settings.hub.log)
        let changes = AccountChangeHandler(settings.authMode, log)
        let store = try HubStoreLoader.open(settings.storagePath ?? ":memory:", settings.hub, log) { changes.take($0) }
        do {
            return try start(settings, store, changes, log)
        } catch {
            store.close()
            throw error
        }
    }

    private static func start(
        _ settings: ServeSettings,
        _ store: Store,
        _ changes: AccountChangeHandler,
        _ log: HubLog
    ) throws -> ConfiguredHub {
        var services = HubServices()
        let (stored, revokedInvitations) = try HubStoreLoader.load(store, settings.authMode, log) {
            services.needsSetup = changes.load($0)
        }
        let invitationKey = try HubStoreLoader.invitationKey(store)
        let tokens = try TokenAuthenticator(
            settings.tokens,
            invitationKey: invitationKey,
            revokedInvitations: revokedInvitations
        )
        changes.tokens.resolve(tokens)
        services.accountData = PersistentAccountStore(store: store)
        let openID = try settings.openID.issuer.map { _ throws(ServeError) in
            try HubOpenID(settings, store, changes)
        }
        services.openID = openID
        let authenticator = authenticator(settings, store, changes.accountCache, tokens, openID, log)
        services.authenticator = authenticator
        if settings.authMode.usesAccounts {
            services.credentials = AccountCredentials(store, changes, authenticator)
        }
        let invitations = invitations(settings, store, changes, authenticator)
        authenticator.invitations.resolve(invitations)
        services.invitations = invitations
        services.allowsSelfRegistration = settings.authMode.usesAccounts && settings.invitations.allowsSelfRegistration
        let push = try settings.push.contact.map { contact throws(ServeError) in
            try HubPush(settings.push, contact: contact, store, log)
        }
        services.push = push
        if push != nil, settings.hub.pushWait == .zero {
            log(.warning, "push.contact is set and wake.waitSeconds is 0: no call waits, so no push message is sent")
        }
        let backup = settings.backup.folder.map { path in
            let folder = BackupFolder(path, node: settings.hub.node)
            return NightlyBackup(settings.backup, in: folder, log) { target throws(StoreError) in
                try store.backup(to: target)
            }
        }
        services.backup = backup
        services.authMode = settings.authMode.rawValue
        services.brand = try settings.brand.load()
        do {
            let keeper = try keeper(settings, log)
            services.administration = administration(settings, store, changes, keeper, authenticator)
            services.reload = { changes.server.use { reload($0, settings, tokens, keeper, log) } }
            var hub = settings.hub
            keeper?.prepare(&hub.transport, hosts: OwnCertificateKeeper.hosts(settings))
            let server = try HubServer.start(hub, services: services, stored: stored)
            do throws(ServeError) {
                try keeper?.start(for: server)
            } catch {
                server.stop()
                server.waitUntilStopped()
                throw error
            }
            changes.server.resolve(server)
            backup?.start()
            let audit = AuditKeeper(store, keepDays: settings.auditDays, log)
            return ConfiguredHub(server, settings, store, changes, tokens, push, keeper, openID, backup, audit, log)
        } catch {
            push?.stop()
            openID?.stop()
            throw error
        }
    }

    /// Makes the keeper of the certificate; nil: the hub has files of one, or none.
    private static func keeper(_ settings: ServeSettings, _ log: HubLog) throws(ServeError) -> CertificateKeeper? {
        guard settings.tls.makesOwn, !settings.hub.transport.usesTLS else { return nil }
        return try CertificateKeeper(settings, log)
    }

    private static func invitations(
        _ settings: ServeSettings,
        _ store: Store,
        _ changes: AccountChangeHandler,
        _ authenticator: HubAuthenticator
    ) -> HubInvitations {
        let used = HubInvitations.Settings(
            mode: settings.authMode,
            invitations: settings.invitations,
            publicURL: settings.hub.transport.publicURL
        )
        return HubInvitations(used, store, changes) { [weak authenticator] account, requester, then in
            authenticator?.hash(account, of: requester, then)
        }
    }

    private static func administration(
        _ settings: ServeSettings,
        _ store: Store,
        _ changes: AccountChangeHandler,
        _ keeper: CertificateKeeper?,
        _ authenticator: HubAuthenticator
    ) -> HubAdministration {
        HubAdministration(settings, store, changes) {
            AdminStatus.Certificate.read(settings, current: keeper?.current)
        } hash: { [weak authenticator] account, password, then in
            authenticator?.hash(NewAccountRequest(account: account, password: password), then)
        }
    }

    private static func authenticator(
        _ settings: ServeSettings,
        _ store: Store,
        _ accountCache: AccountCache,
        _ tokens: TokenAuthenticator,
        _ openID: (any OpenIDAdmission)?,
        _ log: HubLog
    ) -> HubAuthenticator {
        HubAuthenticator(
            settings.authMode,
            store,
            accountCache,
            tokens,
            cost: PasswordCost(megabytes: settings.passwordMegabytes, passes: settings.passwordPasses) ?? .standard,
            // The rest of the timeout is left for the round trip.
            maximumPasswordWait: settings.hub.transport.signInTimeout * 0.8,
            allowsAnyoneToAdminister: ListenAddress(host: settings.hub.transport.host, port: 0).isLoopback
                && !settings.hub.transport.isBehindProxy,
            openID: openID,
            log: log
        )
    }

    /// Notes in the audit log that a signal has come, before it has its effect.
    ///
    /// - Parameters:
    ///   - signal: The name of the signal, such as `SIGHUP`.
    ///   - act: The name of the act that it causes, such as `server.reload`.
    package func record(signal: String, causing act: String) { audit.record(AuditAct(act), bySignal: signal) }

    /// Reads certificates, token keys and the brand again, without disturbing open connections.
    public func reload() { Self.reload(server, settings, tokens, keeper, log) }

    private static func reload(
        _ server: HubServer,
        _ settings: ServeSettings,
        _ tokens: TokenAuthenticator,
        _ keeper: CertificateKeeper?,
        _ log: HubLog
    ) {
        server.reload()
        keeper?.checkNow()
        reloadBrand(of: server, settings, log)
        do throws(ServeError) {
            guard let keys = try tokens.reload() else { return }
            log(.info, "token keys reloaded", ["keys": keys.joined(separator: ", ")])
        } catch {
            log(.error, "token keys not reloaded; the old ones stay", ["reason": error.description])
        }
    }

    /// Reads the configuration file again for its brand, and the logo.
    private static func reloadBrand(of server: HubServer, _ settings: ServeSettings, _ log: HubLog) {
        do {
            let file = settings.configurationFile
            let brand = try file.map { path throws(SettingsError) in try ConfigurationFile.read(path).brand }
            server.setBrand(try (brand ?? settings.brand).load())
            log(.info, "brand reloaded")
        } catch {
            let reason = (error as? SettingsError)?.faults.joined(separator: " ") ?? "\(error)"
            log(.error, "brand not reloaded; the old one stays", ["reason": reason])
        }
    }

    /// Blocks until the hub has stopped and all pending writes are complete; to be called once.
    ///
    /// `server.drain` and `server.stop` stop the hub.
    public func waitUntilStopped() {
        server.waitUntilStopped()
        keeper?.stop()
        push?.stop()
        openID?.stop()
        backup?.stop()
        audit.stop()
        store.close()
    }
}
