import BenchmarkSupport
import HubAccountData
import HubClient
import HubSimulation

/// A user who calls accounts that do not exist, and marks and removes the calls, which must not come back after a kill.
actor KillRecentsUser: KillTrialUser {
    private static let account = "recents-editor"

    /// An entry of Recents, identified by its handle: each call has another one.
    fileprivate struct Line: Equatable {
        var handle: String
        var isSeen = false
    }

    private var random: SeededRandom
    private var phone: KillTrialClient?
    private var lines = AcknowledgedValue([Line]())
    private var serial = 0
    private(set) var counts = KillCounts()

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 7_919 &+ 2)
    }

    func signIn(to url: String) async throws(BenchmarkError) {
        phone = try await .connect(to: url, as: Self.account)
    }

    func audit() async -> [String] {
        guard let phone else { return [] }
        do throws(HubClientError) {
            let (known, entries) = (lines, try await phone.recents())
            counts.entries += entries.count
            let found = entries.map { Line($0) }
            guard !lines.confirm(found) else { return [] }
            let missing = known.certain.first { !found.contains($0) }
            let strange = found.first { !known.certain.contains($0) }
            return [
                "the Recents editor's list must be \(known.certain.count) entries, and are \(found.count); the first that is "
                    + "missing: \(String(describing: missing)); that should not be there: \(String(describing: strange))"
            ]
        } catch {
            return ["the Recents editor's list: \(error)"]
        }
    }

    func runLoad() async -> [String] {
        guard let phone else { return [] }
        var unexpectedErrors: [String] = []
        do throws(HubClientError) {
            while try await call(phone) {
                if Int.random(in: 0..<4, using: &random) == 0 { try await tidy(phone) }
            }
        } catch {
            unexpectedErrors = unexpectedError(error, "the Recents editor")
            if unexpectedErrors.isEmpty { counts.cutChanges += 1 } else { lines.answered(isDone: false) }
        }
        await phone.ended()
        return unexpectedErrors
    }

    /// Makes a call to an account that does not exist; returns false if the hub ended before the call.
    private func call(_ phone: KillTrialClient) async throws(HubClientError) -> Bool {
        serial += 1
        let (handle, uuid) = ("nobody's number \(serial)", CallUUID.random())
        lines.ask(lines.certain + [Line(handle: handle)])
        try await phone.client.start(.generic(handle), callUUID: uuid)
        guard await phone.call(uuid, when: \.hasEnded) != nil else {
            counts.cut += 1
            return false
        }
        lines.answered()
        counts.ended += 1
        counts.endedByKind["to nobody", default: 0] += 1
        phone.forget(uuid)
        return true
    }

    /// Marks or removes some of the newest entries, or removes all when there are more than 300.
    private func tidy(_ phone: KillTrialClient) async throws(HubClientError) {
        if lines.certain.count > 300 {
            lines.ask([])
            return try await change(.removeRecents(nil), phone)
        }
        let chosen = try await phone.client.recents(limit: 10).filter { _ in Bool.random(using: &random) }
        let handles = Set(chosen.map(\.call.handle.value))
        if Bool.random(using: &random) {
            lines.ask(lines.certain.filter { !handles.contains($0.handle) })
            try await change(.removeRecents(chosen.map(\.call.id)), phone)
        } else {
            lines.ask(
                lines.certain.map { Line(handle: $0.handle, isSeen: $0.isSeen || handles.contains($0.handle)) }
            )
            try await change(.markRecentsSeen(chosen.map(\.call.id)), phone)
        }
    }

    private func change(_ request: AccountDataRequest, _ phone: KillTrialClient) async throws(HubClientError) {
        _ = try await phone.client.send(.accountData(request))
        lines.answered()
        counts.changes += 1
    }
}

extension KillRecentsUser.Line {
    fileprivate init(_ entry: RecentEntry) {
        self.init(handle: entry.call.handle.value, isSeen: entry.isSeen)
    }
}
