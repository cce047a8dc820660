package import CommandLineTools
package import HubAccountData
package import HubClient
import HubEngine
import HubWire

/// Sends a table to a hub in batches, of which several are in flight if the round trip is long.
///
/// The hub limits the messages per second. While one batch is in flight, its refusal says exactly what to send again.
/// With several, the hub may have rejected the following ones as out of order, and the load starts over. So there are
/// several only while the round trip is so long that they are no more messages per second than one at a time would be
/// over a short one.
package struct DirectoryLoader {
    let client: HubClient
    let identifier: String
    /// The directory's new title; empty: none, nil: unchanged.
    let title: String?
    let isIncremental: Bool
    /// The round-trip time for which each further batch may be in flight.
    ///
    /// Longer: fewer messages per second over a long way; shorter: the hub refuses some sooner
    /// (limits.messagesPerSecond).
    let timeForOne: Duration

    package init(
        client: HubClient,
        identifier: String,
        title: String? = nil,
        isIncremental: Bool,
        timeForOne: Duration = .milliseconds(10)
    ) {
        self.client = client
        self.identifier = identifier
        self.title = title
        self.isIncremental = isIncremental
        self.timeForOne = timeForOne
    }

    /// Sends the removals and the entries of a load.
    ///
    /// - Parameters:
    ///   - table: The entries to add, sorted.
    ///   - gone: The entries to remove first; empty unless the load is incremental.
    ///   - progress: Called with the number of entries that the hub has received so far.
    /// - Returns: The hub's answer to the last batch, with the numbers of stored entries.
    /// - Throws: `CommandFailure`; then nothing is stored, or its sentence says that this is not known.
    package func load(
        _ table: DirectoryTable,
        removing gone: DirectoryTable = DirectoryTable(),
        _ progress: (Int) -> Void
    ) async throws(CommandFailure) -> DirectoryLoadResult {
        var maximumBatchesInFlight = Self.maximumBatchesInFlight
        while true {
            do throws(LoadFailure) {
                return try await send(table, removing: gone, maximumBatchesInFlight: maximumBatchesInFlight, progress)
            } catch {
                if case .failed(let failure) = error { throw failure }
                maximumBatchesInFlight = 1
            }
        }
    }

    private enum LoadFailure: Error {
        /// The hub refused a batch for its rate limit while others were in flight; the load is incomplete.
        case rateLimited
        case failed(CommandFailure)
    }

    /// A batch in flight.
    private struct Sent {
        let load: DirectoryLoad
        /// The number of entries sent up to and including this batch.
        let taken: Int
        let at: ContinuousClock.Instant
        let answer: Task<Answer, Never>
    }

    private func send(
        _ table: DirectoryTable,
        removing gone: DirectoryTable,
        maximumBatchesInFlight: Int,
        _ progress: (Int) -> Void
    ) async throws(LoadFailure) -> DirectoryLoadResult {
        // The last batch has the title, too.
        let titleBytes = (title?.utf8.count ?? 0) * 6 + 16
        let longest = max(1_024, (client.session?.limits.maximumMessageBytes ?? 4_096) - titleBytes)
        var batches = DirectoryBatches(
            table,
            removing: gone,
            identifier,
            isIncremental: isIncremental,
            longestMessage: longest
        )
        var batchesInFlight: [Sent] = []
        var answerTime = Duration.zero
        while true {
            let wanted = max(1, min(maximumBatchesInFlight, Int(answerTime / timeForOne)))
            while batchesInFlight.count < wanted, var load = batches.next() {
                if load.isFinal { load.title = title }
                batchesInFlight.append(send(load, taken: batches.taken))
            }
            guard !batchesInFlight.isEmpty else { throw .failed(CommandFailure(2, "the hub has not answered.")) }
            let sent = batchesInFlight.removeFirst()
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
                throw .failed(CommandFailure(2, "the hub's answer to directory.load does not conform to the protocol."))
            case .failure(.refused(let refusal)) where refusal.code == .tooMany && refusal.retryAfterSeconds != nil:
                try await wait(refusal)
                guard batchesInFlight.isEmpty else { throw await abandon(batchesInFlight.map(\.answer)) }
                batchesInFlight.append(send(sent.load, taken: sent.taken))
            case .failure(let error):
                throw .failed(CommandFailure(error, isFinal: sent.load.isFinal))
            }
        }
    }

    private typealias Answer = Result<ReplyPayload, HubClientError>

    /// Sends a batch after those before it: the task runs at once as far as the client's mailbox.
    private func send(_ load: DirectoryLoad, taken: Int) -> Sent {
        let answer = Task.immediate { [client] () -> Answer in
            do throws(HubClientError) {
                return .success(try await client.send(.accountData(.loadDirectory(load))))
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

    /// Waits for the batches in flight and cancels the load at the hub, so that it can start over.
    private func abandon(_ answers: [Task<Answer, Never>]) async -> LoadFailure {
        for answer in answers { _ = await answer.value }
        do throws(HubClientError) {
            _ = try await client.send(.accountData(.cancelDirectoryLoad(identifier: identifier)))
        } catch {
            // The hub refuses if it has no load to cancel.
            guard case .refused = error else { return .failed(CommandFailure(error, isFinal: false)) }
        }
        return .rateLimited
    }

    /// More: throughput over longer round trips; more memory for batches in flight.
    private static let maximumBatchesInFlight = 8
}

extension CommandFailure {
    /// Turns a client's error into the failure of a command.
    package init(_ error: HubClientError, isFinal: Bool) {
        switch error {
        case .refused(let refusal):
            self.init(3, refusal.message.namingCommands + ".")
        case .signInRefused:
            self.init(2, error.description + ".")
        case .connectionLost where isFinal, .noResponse where isFinal:
            let sentence = "the connection was lost before the hub confirmed the load; callhub directory list shows it."
            self.init(2, sentence)
        default:
            self.init(2, error.description)
        }
    }
}
