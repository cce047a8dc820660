import HubClient
import HubEngine
import HubWire

/// Sends a table to a hub: where answers take their time, some batches ahead of them, so that a long way is not gone for each.
///
/// A hub takes so many messages a second. Of one batch alone on its way, its refusal tells exactly what to send again; of
/// several, those behind it may have been taken for batches out of order, and the load is begun anew. So there are several
/// only while the way is so long that they are no more a second than one would be on a short one.
struct DirectoryLoader {
    let client: HubClient
    let identifier: String
    let isIncremental: Bool
    /// How long an answer takes for each batch that is on its way.
    ///
    /// Longer: fewer messages a second over a long way; shorter: the hub refuses some sooner (limits.messagesPerSecond).
    var timeForOne = Duration.milliseconds(10)

    /// Sends everything.
    ///
    /// - Parameters:
    ///   - table: What is sent, sorted.
    ///   - gone: What is taken out before that; of a load that is not incremental, nothing.
    ///   - progress: Told how many entries the hub has.
    /// - Returns: What the hub has stored.
    /// - Throws: `CommandFailure`; then nothing of it is stored, or its sentence says that this is not known.
    func load(
        _ table: DirectoryTable,
        removing gone: DirectoryTable = DirectoryTable(),
        _ progress: (Int) -> Void
    ) async throws(CommandFailure) -> DirectoryLoadResult {
        var mostOnTheirWay = Self.mostOnTheirWay
        while true {
            do throws(LoadFailure) {
                return try await send(table, removing: gone, mostOnTheirWay: mostOnTheirWay, progress)
            } catch {
                if case .failed(let failure) = error { throw failure }
                mostOnTheirWay = 1
            }
        }
    }

    private enum LoadFailure: Error {
        /// More messages than the hub takes in a second, and the load in pieces.
        case crowdedOut
        case failed(CommandFailure)
    }

    /// A batch whose answer has not come.
    private struct Sent {
        let load: DirectoryLoad
        /// How many entries the hub has with it.
        let taken: Int
        let at: ContinuousClock.Instant
        let answer: Task<Answer, Never>
    }

    private func send(
        _ table: DirectoryTable,
        removing gone: DirectoryTable,
        mostOnTheirWay: Int,
        _ progress: (Int) -> Void
    ) async throws(LoadFailure) -> DirectoryLoadResult {
        let longest = client.session?.limits.maximumMessageBytes ?? 4_096
        var batches = DirectoryBatches(
            table,
            removing: gone,
            identifier,
            isIncremental: isIncremental,
            longestMessage: longest
        )
        var onTheirWay: [Sent] = []
        var answerTime = Duration.zero
        while true {
            let wanted = max(1, min(mostOnTheirWay, Int(answerTime / timeForOne)))
            while onTheirWay.count < wanted, let load = batches.next() {
                onTheirWay.append(send(load, taken: batches.taken))
            }
            guard !onTheirWay.isEmpty else { throw .failed(CommandFailure(2, "the hub has not answered.")) }
            let sent = onTheirWay.removeFirst()
            switch await sent.answer.value {
            case .success(.directoryLoaded(let result)):
                guard !result.isExpired else {
                    throw .failed(
                        CommandFailure(3, "the hub has waited too long for the next batch; nothing was loaded.")
                    )
                }
                if sent.load.isFinal { return result }
                progress(sent.taken)
                answerTime = (answerTime * 7 + sent.at.duration(to: .now)) / 8
            case .success:
                throw .failed(CommandFailure(2, "the hub's answer to directory.load is not what the protocol says."))
            case .failure(.refused(let refusal)) where refusal.code == .tooMany && refusal.retryAfterSeconds != nil:
                try await wait(refusal)
                guard onTheirWay.isEmpty else { throw await abandon(onTheirWay.map(\.answer)) }
                onTheirWay.append(send(sent.load, taken: sent.taken))
            case .failure(let error):
                throw .failed(CommandFailure(error, isFinal: sent.load.isFinal))
            }
        }
    }

    private typealias Answer = Result<ReplyPayload, HubClientError>

    /// Sends a batch behind those that were sent before: the task runs at once as far as the client's mailbox.
    private func send(_ load: DirectoryLoad, taken: Int) -> Sent {
        let answer = Task.immediate { [client] () -> Answer in
            do throws(HubClientError) {
                return .success(try await client.send(.memory(.loadDirectory(load))))
            } catch {
                return .failure(error)
            }
        }
        return Sent(load: load, taken: taken, at: .now, answer: answer)
    }

    private func wait(_ refusal: WireError) async throws(LoadFailure) {
        do {
            try await Task.sleep(for: .seconds(min(60, max(1, refusal.retryAfterSeconds ?? 1))))
        } catch {
            throw .failed(CommandFailure(2, "it was cancelled; nothing was loaded."))
        }
    }

    /// Has the hub forget what it has taken of the load, so that it can be begun anew.
    private func abandon(_ answers: [Task<Answer, Never>]) async -> LoadFailure {
        for answer in answers { _ = await answer.value }
        do throws(HubClientError) {
            _ = try await client.send(.memory(.cancelDirectoryLoad(identifier: identifier)))
        } catch {
            // A refusal: there is nothing to forget.
            guard case .refused = error else { return .failed(CommandFailure(error, isFinal: false)) }
        }
        return .crowdedOut
    }

    /// More: a longer way to the hub does not matter; more waits in memory.
    private static let mostOnTheirWay = 8
}

extension CommandFailure {
    /// Why a hub did not do what it was asked.
    init(_ error: HubClientError, isFinal: Bool) {
        switch error {
        case .refused(let refusal):
            self.init(3, refusal.message.namingCommands + ".")
        case .signInRefused:
            self.init(2, error.description + ".")
        case .connectionLost where isFinal, .noAnswer where isFinal:
            let sentence = "the hub was lost before it said whether all is loaded; callhub directory list tells."
            self.init(2, sentence)
        default:
            self.init(2, error.description)
        }
    }
}
