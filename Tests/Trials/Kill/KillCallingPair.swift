import BenchmarkSupport
import HubAccountData
import HubClient
import HubSimulation

/// A caller and the accounts it calls, one call after the other as fast as possible, each taking a random course.
actor KillCallingPair: KillTrialUser {
    /// A call that has not been compared with Recents yet.
    private struct Attempt {
        var kind: Kind
        var uuid: CallUUID
        /// The UUID on the callee's side; nil if it has not rung there.
        var incoming: CallUUID?
        /// Indicates that the hub has accepted the request to end it.
        var isEndAccepted = false
        var lastOfCaller: CallSnapshot?
        var lastOfCallee: CallSnapshot?

        var isCertain: Bool { isEndAccepted || lastOfCaller?.hasEnded == true || lastOfCallee?.hasEnded == true }
    }

    private struct Phones {
        var caller: KillTrialClient
        var callee: KillTrialClient
        var silenced: KillTrialClient
        var blocking: KillTrialClient
    }

    private let number: Int
    private var random: SeededRandom
    private var phones: Phones?
    private var url = ""
    private var isSetUp = false
    /// The call under way.
    private var current: Attempt?
    /// The calls before it, since the last audit.
    private var attempts: [Attempt] = []
    /// The Recents by account.
    private var recentsByAccount: [String: RecentsModel] = [:]
    private let limit: Int
    private(set) var counts = KillCounts()

    init(number: Int, seed: UInt64, recentsLimit: Int) {
        self.number = number
        random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        limit = recentsLimit
    }

    private var caller: String { "caller \(number)" }
    private var callee: String { "callee \(number)" }
    private var silenced: String { "silenced \(number)" }
    private var blocking: String { "blocking \(number)" }
    private var away: String { "away \(number)" }
    private var nobody: String { "nobody \(number)" }

    func signIn(to url: String) async throws(BenchmarkError) {
        self.url = url
        let phones = Phones(
            caller: try await .connect(to: url, as: caller),
            callee: try await .connect(to: url, as: callee),
            silenced: try await .connect(to: url, as: silenced),
            blocking: try await .connect(to: url, as: blocking)
        )
        self.phones = phones
        guard !isSetUp else { return }
        do throws(HubClientError) {
            _ = try await phones.silenced.client.send(.accountData(.setSettings(SettingsUpdate(doNotDisturb: true))))
            _ = try await phones.blocking.client.send(.accountData(.block(.handle(.generic(caller)))))
        } catch {
            throw BenchmarkError("the people of pair \(number) cannot be made: \(error)")
        }
        isSetUp = true
    }

    // MARK: Calling

    func runLoad() async -> [String] {
        guard let phones else { return [] }
        var unexpectedErrors: [String] = []
        while unexpectedErrors.count < 10 {
            let kind = Kind.allCases.randomElement(using: &random) ?? .hungUp
            do throws(HubClientError) {
                guard try await call(kind, phones) else { break }
            } catch {
                let words = unexpectedError(error, "\(caller), a call \(kind.rawValue)")
                guard !words.isEmpty else { break }
                unexpectedErrors += words
            }
        }
        for phone in [phones.caller, phones.callee, phones.silenced, phones.blocking] { await phone.ended() }
        finish(phones)
        return unexpectedErrors
    }

    /// Makes one call from its start to its end; returns false if the hub ended before.
    private func call(_ kind: Kind, _ phones: Phones) async throws(HubClientError) -> Bool {
        let uuid = CallUUID.random()
        current = Attempt(kind: kind, uuid: uuid)
        try await phones.caller.client.start(.generic(handle(kind)), callUUID: uuid)
        switch kind {
        case .hungUp, .hungUpByCallee, .declined:
            guard let incoming = await phones.callee.incoming() else { return false }
            current?.incoming = incoming.uuid
            if kind != .declined {
                try await phones.callee.client.answer(incoming.uuid)
                guard await phones.caller.call(uuid, when: { $0.state == .connected }) != nil else { return false }
            }
            if kind == .hungUp {
                try await phones.caller.client.end(uuid)
            } else {
                try await phones.callee.client.end(incoming.uuid)
            }
            current?.isEndAccepted = true
            guard await phones.callee.call(incoming.uuid, when: \.hasEnded) != nil else { return false }
        case .cancelled, .silenced, .blocked:
            guard await phones.caller.call(uuid, when: \.remoteIsRinging) != nil else { return false }
            try await phones.caller.client.end(uuid)
            current?.isEndAccepted = true
            if kind == .cancelled {
                guard let incoming = await phones.callee.incoming() else { return false }
                current?.incoming = incoming.uuid
                guard await phones.callee.call(incoming.uuid, when: \.hasEnded) != nil else { return false }
            }
        case .away, .unknown: break
        }
        guard await phones.caller.call(uuid, when: \.hasEnded) != nil else { return false }
        finish(phones)
        return true
    }

    private func handle(_ kind: Kind) -> String {
        switch kind {
        case .hungUp, .hungUpByCallee, .declined, .cancelled: callee
        case .silenced: silenced
        case .blocked: blocking
        case .away: away
        case .unknown: nobody
        }
    }

    /// Records the last snapshots that both sides received of the call.
    private func finish(_ phones: Phones) {
        guard var attempt = current else { return }
        current = nil
        let incoming = attempt.incoming ?? phones.callee.nextIncoming?.uuid
        attempt.lastOfCaller = phones.caller.last(attempt.uuid)
        attempt.lastOfCallee = incoming.flatMap { phones.callee.last($0) }
        phones.caller.forget(attempt.uuid)
        if let incoming { phones.callee.forget(incoming) }
        attempts.append(attempt)
        if attempt.isCertain {
            counts.ended += 1
            counts.endedByKind[attempt.kind.rawValue, default: 0] += 1
        } else {
            counts.cut += 1
        }
    }

    // MARK: Audit

    func audit() async -> [String] {
        guard let phones else { return [] }
        var faults: [String] = []
        do throws(HubClientError) {
            faults += take(try await phones.caller.recents(), of: caller)
            faults += take(try await phones.callee.recents(), of: callee)
            faults += take(try await phones.silenced.recents(), of: silenced)
            faults += take(try await phones.blocking.recents(), of: blocking)
            faults += try await auditAbsentAccount()
            let (rules, settings) = (
                try await phones.blocking.client.send(.accountData(.listBlocked)),
                try await phones.silenced.client.send(.accountData(.getSettings))
            )
            if rules != .blocked([.handle(.generic(caller))]) { faults.append("\(blocking) does not block any more") }
            if case .settings(let settings) = settings, settings.doNotDisturb {
            } else {
                faults.append("\(silenced) has lost its Do Not Disturb setting")
            }
        } catch {
            faults.append("pair \(number) cannot be looked at: \(error)")
        }
        attempts = []
        return faults
    }

    /// Signs in the account that is otherwise away, compares its Recents, and signs it out.
    private func auditAbsentAccount() async throws(HubClientError) -> [String] {
        do throws(BenchmarkError) {
            let phone = try await KillTrialClient.connect(to: url, as: away)
            let faults: [String]
            do throws(HubClientError) {
                faults = take(try await phone.recents(), of: away)
            } catch {
                faults = ["\(away): \(error)"]
            }
            await phone.client.close()
            return faults
        } catch {
            return ["\(error)"]
        }
    }

    private func take(_ entries: [RecentEntry], of account: String) -> [String] {
        counts.entries += entries.count
        var book = recentsByAccount[account] ?? RecentsModel(limit: limit)
        let faults = book.take(entries, attempts.compactMap { expected($0, account) })
        recentsByAccount[account] = book
        return faults.map { "Recents of \(account): \($0)" }
    }

    /// Returns the entry that an account's Recents must have of a call; nil: none.
    private func expected(_ attempt: Attempt, _ account: String) -> ExpectedCall? {
        let what = "a call of \(caller), \(attempt.kind.rawValue) (\(attempt.uuid.uuidText))"
        if account == caller {
            return ExpectedCall(
                what: what,
                handle: .generic(handle(attempt.kind)),
                isOutgoing: true,
                outcome: attempt.kind.outcomeForCaller,
                last: attempt.lastOfCaller,
                isCertain: attempt.isCertain
            )
        }
        guard account == handle(attempt.kind), let outcome = attempt.kind.outcomeForCallee else { return nil }
        return ExpectedCall(
            what: what,
            handle: .generic(caller),
            isOutgoing: false,
            outcome: outcome,
            isSilenced: attempt.kind == .silenced,
            last: attempt.lastOfCallee,
            isCertain: attempt.isCertain
        )
    }
}
