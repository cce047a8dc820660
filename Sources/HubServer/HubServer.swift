import Foundation
public import HubEngine
import HubMedia
import LoopMailbox

/// A running hub: its sockets, its engine and its relay, on threads of their own.
///
/// ```swift
/// let server = try HubServer.start(HubSettings())
/// print("the hub listens on port \(server.port)")
/// server.waitUntilStopped()
/// ```
///
/// All members are safe on any thread.
public final class HubServer: Sendable {
    let loops: EventLoopGroup
    private let settings: HubSettings
    private let eventLogWriter: EventLogWriter?
    private let cdrWriter: CDRWriter?
    private let mixers: [MixerThread]

    /// The port that the hub listens on, also if the settings leave the choice to the system.
    public var port: Int { loops.port }

    /// The port for plain HTTP that redirects to ``port``; nil: none.
    public var redirectPort: Int? { loops.redirectPort }

    /// The maximum number of connections at a time.
    ///
    /// It is `limits.maximumConnections`, or less if the process may not open as many files (RLIMIT_NOFILE).
    public var maximumConnections: Int { loops.maximumConnections }

    /// The number of files that the process must be allowed to open for all connections of the settings.
    public var wantedDescriptors: Int {
        let (sum, overflow) = settings.transport.maximumConnections
            .addingReportingOverflow(ConnectionLimiter.reserve + DescriptorLimit.reserve)
        return overflow ? .max : sum
    }

    private init(
        _ loops: EventLoopGroup,
        _ settings: HubSettings,
        _ eventLogWriter: EventLogWriter?,
        _ cdrWriter: CDRWriter?,
        _ mixers: [MixerThread]
    ) {
        self.mixers = mixers
        self.loops = loops
        self.settings = settings
        self.eventLogWriter = eventLogWriter
        self.cdrWriter = cdrWriter
    }

    /// Starts a hub; it listens when this returns.
    ///
    /// - Parameters:
    ///   - settings: All settings of the hub.
    ///   - services: The external services of the hub.
    ///   - stored: The persistent data of the account store.
    /// - Returns: The running hub.
    /// - Throws: `TransportError.addressInUse`, `permissionDenied`, `unknownHost` or `system` if the sockets cannot be
    ///   opened, `certificate` if the certificate or its key cannot be used, `eventLibraryMissing` or `libraryRefused`
    ///   if libwebsockets does not work on this machine; `MediaError` if the built-in sounds cannot be encoded;
    ///   `LineFileError` if the file for events or for call detail records cannot be written, is no plain file, or is
    ///   used by another hub.
    public static func start(
        _ settings: HubSettings,
        services: HubServices = HubServices(),
        stored: StoredState = StoredState()
    ) throws -> HubServer {
        let sounds = try BuiltInSounds.shared.get()
        let eventLogWriter = try settings.eventsFile.map { path throws(LineFileError) in
            try EventLogWriter(to: path, log: HubLog(settings: settings.log))
        }
        let cdrWriter = try settings.callsFile.map { path throws(LineFileError) in
            try CDRWriter(to: path, log: HubLog(settings: settings.log))
        }
        do throws(TransportError) {
            var random = RandomSource()
            let (clock, ssrc) = (HubClock(), random.ssrc())
            let loops = try EventLoopGroup.launch(settings: settings.transport) { loopIndex in
                guard loopIndex.number == 0 else {
                    return WorkerLoopHandler(settings, on: loopIndex, sounds: sounds, clock: clock, ssrc: ssrc)
                }
                let hub = Hub(
                    settings,
                    clock: clock,
                    eventLogWriter: eventLogWriter,
                    cdrWriter: cdrWriter,
                    services: services,
                    stored: stored
                )
                return PrimaryLoopHandler(hub, on: loopIndex, sounds: sounds, ssrc: ssrc)
            }
            eventLogWriter?.begin()
            cdrWriter?.begin()
            let mixers = loops.context.mixers.indices.map { number in
                MixerThread(number, of: loops.context, clock: clock, ssrc: ssrc, log: HubLog(settings: settings.log))
            }
            return HubServer(loops, settings, eventLogWriter, cdrWriter, mixers)
        } catch {
            eventLogWriter?.finish()
            cdrWriter?.finish()
            throw error
        }
    }

    /// Reads the TLS certificate and its key again, from the same files: new handshakes use them.
    ///
    /// Open connections are not affected. Files that cannot be used are logged, and the hub continues with the old
    /// certificate.
    public func reload() {
        guard let origin = settings.transport.serverCertificate else {
            return HubLog(settings: settings.log)(.info, "nothing to reload: tls.certificate is not set")
        }
        guard case .files = origin else { return }
        setCertificate(origin)
    }

    /// Replaces the TLS certificate of a hub that has one: new handshakes use it.
    ///
    /// Open connections are not affected. A certificate that cannot be used is logged, and the hub continues with the
    /// old one.
    ///
    /// - Parameter certificate: The new certificate.
    public func setCertificate(_ certificate: ServerCertificate) {
        let log = HubLog(settings: settings.log)
        guard settings.transport.usesTLS else {
            return log(.error, "certificate not used: the hub was started without TLS")
        }
        do throws(TransportError) {
            let pair = try CertificatePair(certificate)
            Self.installCertificate(pair, on: loops.context) { [mailbox = loops.mailbox] in
                mailbox.runOnHubThread { $0.information.certificate = certificate }
                log(.info, "certificate reloaded", ["from": certificate.source, "expires": pair.expiry])
            }
        } catch {
            log(.error, "certificate not reloaded; the old one stays", ["reason": error.description])
        }
    }

    /// Sets the certificate on one loop after the other, and then calls `then`.
    private static func installCertificate(
        _ pair: CertificatePair,
        on context: LoopGroupContext,
        from number: Int = 0,
        then: @escaping @Sendable () -> Void
    ) {
        context.mailboxes[number].post { loop in
            loop.library.installCertificate(pair)
            guard number + 1 < context.count else { return then() }
            installCertificate(pair, on: context, from: number + 1, then: then)
        }
    }

    /// Replaces the brand that users see: clients read it before their next sign-in.
    ///
    /// - Parameter brand: The new brand.
    public func setBrand(_ brand: Brand) {
        loops.mailbox.runOnHubThread { $0.information.brand = brand }
    }

    /// Sets the indication to clients that the hub has no account yet.
    ///
    /// - Parameter needsSetup: True while nobody can sign in.
    public func setNeedsSetup(_ needsSetup: Bool) {
        loops.mailbox.runOnHubThread { hub in
            guard hub.information.needsSetup != needsSetup else { return }
            hub.information.needsSetup = needsSetup
        }
    }

    /// Applies changes that an operator has made to the accounts while the hub runs.
    ///
    /// - Parameters:
    ///   - accounts: All accounts of the hub's own list; sessions of accounts that were removed are signed out.
    ///   - erased: The accounts of which all data is to be erased.
    public func take(_ accounts: [AccountRecord], erased: [String]) {
        loops.mailbox.runOnHubThread { $0.take(accounts, erased: erased) }
    }

    /// Ends the sessions of guests that signed in by the hub's own invitations: at once, or when their calls have
    /// ended.
    ///
    /// - Parameter invitations: The invitations that were revoked; nil: all.
    public func endGuests(of invitations: Set<InvitationID>? = nil) {
        loops.mailbox.runOnHubThread { $0.endGuests(of: invitations) }
    }

    /// Stops gracefully: no new calls, clients are notified, calls may go on until the grace period ends.
    ///
    /// - Parameter grace: The grace period; nil: the one of the settings.
    public func drain(grace: Duration? = nil) {
        loops.mailbox.runOnHubThread { $0.drain(grace: grace ?? $0.settings.drainGrace) }
    }

    /// Checks that every loop responds: if `answered` is not called, one of them hangs.
    ///
    /// - Parameter answered: Called when all loops have responded; on any thread.
    public func ping(_ answered: @escaping @Sendable () -> Void) {
        Self.ping(loops.context.mailboxes[...], answered)
    }

    /// Pings one loop after the other: the last one's response is that of all.
    private static func ping(_ mailboxes: ArraySlice<Mailbox<ServerLoop>>, _ answered: @escaping @Sendable () -> Void) {
        guard let first = mailboxes.first else { return answered() }
        first.post { _ in ping(mailboxes.dropFirst(), answered) }
    }

    /// Stops at once: calls end, clients are notified, connections are closed with code 1001.
    public func stop() {
        loops.mailbox.runOnHubThread { hub in
            hub.shutDown()
            hub.closeRecords()
        }
        loops.stop()
    }

    /// Blocks until the hub has stopped, and all recorded lines are written.
    public func waitUntilStopped() {
        loops.join()
        for mixer in mixers { mixer.stop() }
        eventLogWriter?.finish()
        cdrWriter?.finish()
    }
}
