import Foundation
import HubACME
import HubEngine
import HubTestSupport
import Synchronization

/// The machine's clocks, which a test sets forward.
final class ForwardClock: ACMEClock {
    private let system = SystemACMEClock()
    private let state = Mutex((offset: Duration.zero, notify: [@Sendable () -> Void]()))

    var date: Instant { system.date + state.withLock { $0.offset } }
    var uptime: Instant { system.uptime + state.withLock { $0.offset } }

    func onJump(_ notify: @escaping @Sendable () -> Void) { state.withLock { $0.notify.append(notify) } }

    func advance(by duration: Duration) {
        let waiting = state.withLock { state in
            state.offset += duration
            return state.notify
        }
        for notify in waiting { notify() }
    }
}

/// An ACME client with its folder, and what it has reported.
final class TestClient {
    struct Pair: Equatable {
        let chain: String
        let key: String
    }

    let folder: TemporaryFolder
    let challenges = ChallengeStore()
    let clock: ForwardClock
    let certificates = EventInbox<Pair>()
    let lines = EventInbox<String>()
    private var client: ACMEClient?

    init(in folder: TemporaryFolder, clock: ForwardClock = ForwardClock()) {
        self.folder = folder
        self.clock = clock
    }

    deinit { client?.stop() }

    var storage: ACMEStorage { ACMEStorage(folder: folder.path + "/certificates/acme") }
    var status: ACMEClient.Status? { client?.status }

    /// Starts the client.
    func start(
        _ directory: String,
        authority: String,
        kinds: [ACMEChallengeKind] = [.http01],
        domains: [String] = [Pebble.name]
    ) throws {
        let settings = ACMESettings(
            domains: domains,
            directoryURL: directory,
            contact: "ann@example.org",
            authorityFile: authority,
            challenges: kinds
        )
        client = try ACMEClient.start(
            settings: settings,
            storage: storage,
            challenges: challenges,
            clock: clock,
            onCertificate: { [certificates] in certificates.add(Pair(chain: $0, key: $1)) },
            log: { [lines] in lines.add($0.sentence) }
        )
    }

    func stop() {
        client?.stop()
        client = nil
    }

    /// Waits for the sentence of the next failure.
    func failure() async throws -> String {
        try await lines.next("failure") { $0.contains("It is tried again at") }
    }

    /// Reads a file of the client's folder.
    func file(_ name: String) throws -> String {
        try String(contentsOfFile: storage.folder + "/" + name, encoding: .utf8)
    }
}
