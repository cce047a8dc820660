import BenchmarkSupport
import HubAccountData
import HubClient
import HubEngine
import HubTestSupport
import HubWire

/// Two phones that call each other and have the hub store account data.
struct FullDiskPhones {
    /// The answer to a request to store data.
    enum Answer: Hashable {
        case done
        /// 503 `storeFailed`, with its sentence.
        case refused(String)
    }

    /// The accounts of the trial.
    static let accounts = ["alice", "bob", "carol"]
    /// Packets that each phone sends in a call.
    static let packetsEach = 10

    let alice: TestPhone
    let bob: TestPhone
    private let port: Int

    /// Signs both in.
    init(port: Int) async throws {
        self.port = port
        alice = try await Self.phone("alice", port: port)
        bob = try await Self.phone("bob", port: port)
    }

    private static func phone(_ account: String, port: Int) async throws -> TestPhone {
        try await TestPhone.connect(port: port, account) {
            $0.password = TrialAccounts.password
            $0.deviceID = "phone"
        }
    }

    /// Signs a third account in and out.
    func signInThirdAccount() async throws {
        let carol = try await Self.phone("carol", port: port)
        await carol.client.close()
    }

    /// Closes both phones.
    func close() async {
        await alice.client.close()
        await bob.client.close()
    }

    // MARK: Calls

    /// Makes one call from its start to its end.
    ///
    /// - Returns: The time until both ends were connected, in nanoseconds, and the number of packets received by both.
    /// - Throws: An error if a step of the call did not happen.
    func call() async throws -> (setUpNanoseconds: UInt64, heard: Int) {
        let began = monotonicNanoseconds()
        let call = try await alice.client.start(.generic("bob"))
        try await alice.activation()
        let ringing = try await bob.ringing()
        try await bob.client.answer(ringing.uuid)
        try await bob.activation()
        try await alice.call("is connected") { $0.state == .connected }
        let setUp = monotonicNanoseconds() - began
        _ = (alice.takeReceivedAudio(), bob.takeReceivedAudio())
        let packets = (0..<Self.packetsEach).map { [0x08] + [UInt8](repeating: UInt8($0), count: 63) }
        try await alice.say(packets)
        try await bob.say(packets)
        try await alice.settle()
        try await bob.settle()
        let heard = [alice.takeReceivedAudio(), bob.takeReceivedAudio()].joined().count { packets.contains($0.payload) }
        try await alice.client.end(call)
        for phone in [alice, bob] { try await phone.call("has ended") { $0.hasEnded } }
        return (setUp, heard)
    }

    // MARK: Account data

    /// Stores a contact whose name is not in use yet.
    func put(contact identifier: String) async throws -> Answer {
        try await ask(.putContact(Contact(identifier: identifier, name: "Contact \(identifier)")))
    }

    /// Blocks a number.
    func block(_ number: String) async throws -> Answer {
        try await ask(.block(.prefix(number)))
    }

    /// Sets the name that is displayed to others.
    func show(name: String) async throws -> Answer {
        try await ask(.setSettings(SettingsUpdate(displayName: name)))
    }

    private func ask(_ request: AccountDataRequest) async throws -> Answer {
        do throws(HubClientError) {
            _ = try await alice.client.send(.accountData(request))
            return .done
        } catch .refused(let error) where error.code == .storeFailed {
            return .refused(error.message)
        }
    }

    /// Returns the identifiers of the calls in the Recents of a phone's account.
    func recents(of phone: TestPhone) async throws -> [RecentUUID] {
        try await phone.client.recents(limit: 1_000).map(\.call.id)
    }
}
