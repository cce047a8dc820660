import Foundation
import HubCrypto
import HubEngine
import HubWire

extension ACMEWorker {
    /// Runs one order to its end; an interrupted one stays in the folder.
    func attempt() {
        do throws(ACMEFailure) {
            let accountKey = try storage.accountKey { log(.warning, $0) }
            let key = try orderKey()
            var order = ACMEOrder(
                settings: settings,
                accountKey: accountKey,
                certificateKey: key,
                account: state.account.flatMap(ACMEURL.init),
                order: state.order?.url.flatMap(ACMEURL.init),
                challenges: kinds
            )
            log(.info, "A certificate for \(settings.domains.joined(separator: ", ")) is ordered.")
            var commands = order.start(at: time)
            while let event = try run(commands, key) { commands = order.handle(event, at: time) }
        } catch {
            note(error, retryAfter: nil)
        }
    }

    private var time: ACMEOrder.Time { ACMEOrder.Time(uptime: clock.uptime, date: clock.date) }

    /// The kinds of challenges, the one whose turn it is first.
    private var kinds: [ACMEChallengeKind] {
        guard let first = state.challenge.flatMap(ACMEChallengeKind.init(rawValue:)),
            settings.challenges.contains(first)
        else { return settings.challenges }
        return [first] + settings.challenges.filter { $0 != first }
    }

    /// Returns the key of the order that is under way, or else of a new one; it is stored before anything is sent.
    private func orderKey() throws(ACMEFailure) -> SigningKey {
        if let order = state.order, order.domains == settings.domains,
            let key = SigningKey(stored: Array(order.key)), key.algorithm == .es256
        {
            return key
        }
        guard let key = SigningKey.generate(.es256) else { throw .noMemory }
        state.order = ACMEState.Order(key: Data(key.stored), domains: settings.domains)
        try storage.store(state)
        return key
    }

    /// Runs commands.
    ///
    /// - Returns: The result of the last one; nil at the end of the order, and when the mailbox was stopped.
    private func run(_ commands: [ACMEOrder.Command], _ key: SigningKey) throws(ACMEFailure) -> ACMEOrder.Event? {
        for command in commands {
            switch command {
            case .send(let request):
                return try transport.response(to: request, at: clock.date).map(ACMEOrder.Event.response)
            case .wait(let duration):
                let end = clock.uptime + duration
                while clock.uptime < end, !mailbox.isStopped { transport.wait(end.since(clock.uptime)) }
                return mailbox.isStopped ? nil : .waited
            case .noteTerms(let url): log(.info, "The terms of service are agreed to: \(shown(url, limit: 300))")
            case .storeAccount(let url):
                state.account = url?.text
                try storage.store(state)
            case .storeOrder(let url):
                if url == nil { state.order = nil } else { state.order?.url = url?.text }
                try storage.store(state)
            case .publish(let answer): try publish(answer)
            case .finish(let chain):
                try finish(chain, key)
                return nil
            case .fail(let failure, let retryAfter):
                if failure.concernsChallenge { takeTurns() }
                note(failure, retryAfter: retryAfter)
                return nil
            }
        }
        return nil
    }

    /// Has the next attempt begin with another kind of challenge.
    private func takeTurns() {
        guard let kind = kinds.first, let place = settings.challenges.firstIndex(of: kind) else { return }
        state.challenge = settings.challenges[(place + 1) % settings.challenges.count].rawValue
    }

    private func publish(_ answer: ACMEOrder.ChallengeAnswer) throws(ACMEFailure) {
        switch answer.kind {
        case .http01: challenges.publish(answer.keyAuthorization, forToken: answer.token)
        case .tlsALPN01:
            let pair = CertificateRequest.challengeCertificate(
                for: answer.domain,
                keyAuthorization: answer.keyAuthorization,
                at: seconds
            )
            guard let pair else { throw .noMemory }
            challenges.publish(pair, forName: answer.domain)
        }
    }

    /// Checks, uses and stores the certificate.
    private func finish(_ chain: [UInt8], _ key: SigningKey) throws(ACMEFailure) {
        let issued: IssuedCertificate
        do throws(ACMEFailure) {
            issued = try IssuedCertificate(chain: chain, key: key.stored, domains: settings.domains)
        } catch {
            // The same order would send the same certificate.
            state.order = nil
            throw error
        }
        guard issued.notAfter > clock.date else {
            state.order = nil
            throw .badCertificate("has ended by this machine's clock")
        }
        challenges.removeAll()
        use(issued)
        isUnsaved = true
        // If it cannot be stored, the order is kept, from which the next attempt fetches the certificate again.
        try storage.store(issued)
        isUnsaved = false
        var next = state
        (next.order, next.failures, next.retryAt, next.failure) = (nil, 0, nil, nil)
        (next.issuer, next.received) = (settings.directory.text, seconds)
        state = next
        mailbox.update { $0.failure = nil }
        try storage.store(state)
        reportSchedule()
        log(.info, "The certificate is in use until \(RFC3339.text(of: issued.notAfter)).")
    }
}
