import BenchmarkSupport
import HubAccountData
import HubClient
import HubSimulation

/// A user who loads a call directory again and again, and checks that the next hub has all of a load or nothing of it.
actor KillDirectoryUser: KillTrialUser {
    let account: String
    private static let list = "list"

    private var random: SeededRandom
    private var phone: KillTrialClient?
    private var state: AcknowledgedValue<DirectoryState>
    private(set) var counts = KillCounts()

    init(_ account: String, seed: UInt64, entries: Int) {
        self.account = account
        random = SeededRandom(seed: seed &* 7_919 &+ UInt64(entries))
        state = AcknowledgedValue(DirectoryState(size: entries))
    }

    func signIn(to url: String) async throws(BenchmarkError) {
        phone = try await .connect(to: url, as: account)
    }

    // MARK: Loading

    func runLoad() async -> [String] {
        guard let phone else { return [] }
        var unexpectedErrors: [String] = []
        var hasBegun = false
        do throws(HubClientError) {
            while unexpectedErrors.isEmpty {
                let now = state.certain
                let isWhole = now.load == 0 || now.step == DirectoryState.mostSteps || Bool.random(using: &random)
                let next = isWhole ? now.nextLoad : now.nextStep
                for load in next.batches(of: Self.list) {
                    // Before the last batch is sent, nothing may be stored.
                    if load.isFinal { state.ask(next) }
                    let answer = try await phone.client.send(.accountData(.loadDirectory(load)))
                    hasBegun = !load.isFinal
                    guard load.isFinal else { continue }
                    state.answered()
                    if isWhole { counts.loads += 1 } else { counts.steps += 1 }
                    if let fault = Self.fault(in: answer, next) { unexpectedErrors.append(fault) }
                }
            }
        } catch {
            unexpectedErrors += unexpectedError(error, "the \(account)")
            if hasBegun || state.asked != nil { counts.cutLoads += 1 }
        }
        await phone.ended()
        return unexpectedErrors
    }

    private static func fault(in answer: ReplyPayload, _ next: DirectoryState) -> String? {
        guard case .directoryLoaded(let result) = answer, !result.isExpired, result.blocking == next.blocking,
            result.identification == next.identification
        else { return "the loader sent \(next), and was answered \(answer)" }
        return nil
    }

    // MARK: Audit

    func audit() async -> [String] {
        guard let phone else { return [] }
        do throws(HubClientError) {
            let answer = try await phone.client.send(.accountData(.directoryStatus(identifier: nil)))
            guard case .directories(let lists) = answer else { return ["the directory's status is \(answer)"] }
            let (certain, asked) = (state.certain, state.asked)
            let found = [certain, asked].compactMap(\.self).first { $0.fits(lists) }
            guard let found else {
                let other = asked.map { ", or \($0)" } ?? ""
                return ["the directory of the \(account) must be \(certain)\(other); its status is \(lists)"]
            }
            _ = state.confirm(found)
            return found.load == 0 ? [] : try await lookUp(found, phone)
        } catch {
            return ["the directory of the \(account): \(error)"]
        }
    }

    /// Calls numbers of the directory and checks the names that the hub displays for them.
    private func lookUp(_ state: DirectoryState, _ phone: KillTrialClient) async throws(HubClientError) -> [String] {
        var indices = [0, state.identification - 1, state.identification]
        for _ in 0..<Self.lookUps { indices.append(Int.random(in: 0..<state.identification, using: &random)) }
        for index in indices {
            let number = state.number(index)
            let isThere = index < state.identification
            guard let call = try await call(number, phone) else { return ["the hub has gone while it was looked at"] }
            counts.lookUps += 1
            let isRight =
                isThere
                ? call.nameSource == .directory && call.localizedCallerName == state.label(index)
                : call.nameSource == .handle
            if !isRight {
                let wanted = isThere ? "\"\(state.label(index))\"" : "nothing"
                return [
                    "the directory of the \(account) calls \(number) \"\(call.localizedCallerName)\" (\(call.nameSource)), "
                        + "and must call it \(wanted): it is half of a load"
                ]
            }
        }
        return []
    }

    private func call(_ number: Int64, _ phone: KillTrialClient) async throws(HubClientError) -> CallSnapshot? {
        let uuid = CallUUID.random()
        try await phone.client.start(Handle(type: .phoneNumber, value: "+\(number)"), callUUID: uuid)
        defer { phone.forget(uuid) }
        return await phone.call(uuid, when: \.hasEnded)
    }

    /// Compares every entry with the output of `callhub account export`; to be called after `audit`.
    func differences(from export: DirectoryExport) -> [String] {
        let state = state.certain
        guard state.load > 0 || !export.directories.isEmpty else { return [] }
        guard let list = export.directories.first, export.directories.count == 1 else {
            return ["the export of the \(account) has \(export.directories.count) directories"]
        }
        var wanted: [DirectoryExport.Label] = []
        for index in 0..<state.identification {
            wanted.append(DirectoryExport.Label(number: state.number(index), label: state.label(index)))
        }
        return list.identification == wanted && list.blocking == state.blockedNumbers
            ? [] : ["the directory of the \(account) in the file is not \(state), entry for entry"]
    }

    /// The numbers that are called after each start.
    ///
    /// More: a load with only a few entries missing is noticed more often; each kill takes longer.
    private static let lookUps = 60
}

/// The part of an account's export that the trial reads.
struct DirectoryExport: Decodable, Sendable {
    struct List: Decodable {
        var blocking: [Int64]
        var identification: [Label]
    }

    struct Label: Decodable, Equatable {
        var number: Int64
        var label: String
    }

    var directories: [List]
}

extension DirectoryState {
    /// Indicates that the hub's only directory is in this state.
    fileprivate func fits(_ lists: [DirectoryStatus]) -> Bool {
        guard load > 0 else { return lists.isEmpty }
        guard let list = lists.first, lists.count == 1 else { return false }
        return list.isEnabled && list.isIncremental && list.blocking == blocking
            && list.identification == identification
    }
}
