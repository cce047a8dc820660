import HubCrypto
import HubEngine
import HubWire

/// The part of an ACME client that only its own thread touches.
final class ACMEWorker {
    let settings: CheckedACMESettings
    let storage: ACMEStorage
    let challenges: ChallengeStore
    let clock: any ACMEClock
    let mailbox: ACMEMailbox
    let transport: ACMETransport
    private let onCertificate: (String, String) -> Void
    private let write: (ACMEClient.LogLine) -> Void

    var state: ACMEState
    private(set) var certificate: IssuedCertificate?
    private var isLoaded = false
    /// Indicates that the certificate in use is not stored yet.
    var isUnsaved = false

    init(
        _ settings: CheckedACMESettings,
        _ storage: ACMEStorage,
        _ challenges: ChallengeStore,
        _ clock: any ACMEClock,
        _ mailbox: ACMEMailbox,
        _ transport: ACMETransport,
        _ onCertificate: @escaping (String, String) -> Void,
        _ write: @escaping (ACMEClient.LogLine) -> Void
    ) {
        self.settings = settings
        self.storage = storage
        self.challenges = challenges
        self.clock = clock
        self.mailbox = mailbox
        self.transport = transport
        self.onCertificate = onCertificate
        self.write = write
        state = ACMEState(directory: settings.directory.text)
    }

    /// Works until the mailbox is stopped.
    func run() {
        while !mailbox.isStopped {
            // A failure to read the folder is a failed attempt: what is in it may be a certificate that is valid yet.
            if !isLoaded, isDue(state.retryAt.map(Self.instant)) { load() }
            reportSchedule()
            let next = nextAttempt
            if isLoaded, isDue(next) { attempt() } else { waitUntil(next) }
        }
        challenges.removeAll()
    }

    /// Waits until a date, a minute at most: the wall clock may be set.
    private func waitUntil(_ date: Instant) { transport.wait(date.since(clock.date)) }

    private func isDue(_ date: Instant?) -> Bool { date.map { $0 <= clock.date } ?? true }

    // MARK: Schedule

    /// The date of the next attempt.
    private var nextAttempt: Instant {
        let wanted = isLoaded ? renewalDate : clock.date
        guard let retryAt = state.retryAt.map(Self.instant) else { return wanted }
        // Further away than any wait: the clock was set back.
        let isSensible = retryAt.since(clock.date) <= .seconds(ACMEFailure.longestLimitSeconds)
        return isSensible ? max(wanted, retryAt) : wanted
    }

    /// Shows the date of the next attempt to other threads.
    func reportSchedule() {
        let next = nextAttempt
        mailbox.update { $0.nextAttempt = next }
    }

    /// The date from which a new certificate is wanted; now, if none is in use that fits the settings.
    private var renewalDate: Instant {
        guard !isUnsaved, let certificate, certificate.covers(settings.domains),
            state.issuer == nil || state.issuer == settings.directory.text
        else { return clock.date }
        return RenewalSchedule.date(for: certificate, received: state.received.map(Self.instant))
    }

    static func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

    /// The present date in whole seconds since 1970.
    var seconds: Int64 { clock.date.nanoseconds / 1_000_000_000 }

    // MARK: Files

    /// Reads the folder, and hands out the certificate in it.
    private func load() {
        do throws(ACMEFailure) {
            try storage.prepare()
            state = try storage.state(for: settings.directory.text) { log(.warning, $0) }
            if let stored = try storage.certificate({ log(.warning, $0) }) { use(stored) }
            isLoaded = true
            let failure = state.failure
            mailbox.update { $0.failure = failure }
        } catch {
            note(error, retryAfter: nil)
        }
    }

    /// Takes a certificate into use.
    func use(_ new: IssuedCertificate) {
        certificate = new
        mailbox.update { $0.certificateEnd = new.notAfter }
        if new.notBefore > clock.date {
            let failure = ACMEFailure.notYetValid(from: new.notBefore, now: clock.date)
            log(.warning, failure.sentence(server: settings.directory.authority))
        }
        onCertificate(new.chain, new.key)
    }

    // MARK: Failures

    /// Counts a failure, and plans the next attempt.
    func note(_ failure: ACMEFailure, retryAfter: Int?) {
        challenges.removeAll()
        state.failures = min(state.failures, 1_000) + 1
        let next = RetrySchedule.next(after: state.failures, failure, retryAfter: retryAfter, at: clock.date)
        state.retryAt = next.nanoseconds / 1_000_000_000
        let sentence = failure.sentence(server: settings.directory.authority)
        state.failure = sentence
        mailbox.update { $0.failure = sentence }
        // Where the disk is full, the number of failures is known to this process at least.
        if isLoaded { try? storage.store(state) }
        reportSchedule()
        log(.warning, sentence + " It is tried again at \(RFC3339.text(of: next)).")
    }

    func log(_ level: ACMEClient.LogLine.Level, _ sentence: String) {
        write(ACMEClient.LogLine(level: level, sentence: sentence))
    }
}

extension IssuedCertificate {
    /// Indicates that the certificate is for all of some names.
    func covers(_ domains: [String]) -> Bool {
        guard let stored = PEM.bytes(of: key, label: "PRIVATE KEY") else { return false }
        return (try? IssuedCertificate(chain: Array(chain.utf8), key: stored, domains: domains)) != nil
    }
}
