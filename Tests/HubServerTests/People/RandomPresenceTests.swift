import HubAccountData
import HubEngine
import HubServer
import HubSimulation
import HubWire
import Testing

/// Random histories: when all is quiet, each watcher's last told state is the true one, and nobody saw more.
struct RandomPresenceTests {
    private static let accounts = ["alice", "bob", "carol", "dan"]

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `what watchers were told last is what a new subscription answers`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let fixture = try VirtualHubFixture(seed: seed) { $0.resumeGrace = .seconds(90) }
        let handles = Self.accounts.map { Handle.generic($0) }
        var phones = try Self.accounts.map { try fixture.phone($0) }
        phones += try Self.accounts.prefix(2).map { try fixture.phone($0, on: "laptop") }
        var told: [[Handle: Person]] = []
        for phone in phones {
            guard case .people(let people, _) = try phone.ask(.people(.subscribe(handles))) else { continue }
            told.append(Dictionary(uniqueKeysWithValues: people.map { ($0.handle, $0) }))
        }
        var live = phones.map { _ in true }
        for _ in 0..<60 {
            let number = Int.random(in: 0...phones.count - 1, using: &random)
            try act(phones[number], &live[number], &random)
            fixture.advance(by: .milliseconds(Int.random(in: 0...700, using: &random)))
        }
        fixture.advance(by: .seconds(20))
        for (number, phone) in phones.enumerated() where live[number] {
            guard let session = phone.opened?.session, !session.isEmpty else { continue }
            for people in phone.notifications { for person in people { told[number][person.handle] = person } }
            guard case .people(let truth, _) = try phone.ask(.people(.subscribe(handles))) else { continue }
            for person in truth {
                #expect(told[number][person.handle] == person, "seed \(seed), \(phone.account)")
            }
        }
    }

    /// Performs a random action of a phone; one that the hub refuses counts as none.
    private func act(_ phone: VirtualPhone, _ isLive: inout Bool, _ random: inout SeededRandom) throws {
        guard isLive else {
            isLive = true
            return try phone.resume()
        }
        let other = Self.accounts[Int.random(in: 0...Self.accounts.count - 1, using: &random)]
        switch Int.random(in: 0...11, using: &random) {
        case 0, 1: _ = try? phone.call(Int.random(in: 0...3, using: &random) == 0 ? "echo" : other)
        case 2, 3: if let call = phone.newestCall(.ringing) { try? phone.act((call, .answer)) }
        case 4: if let call = phone.newestCall(nil) { try? phone.act((call, .end)) }
        case 5: if let call = phone.newestCall(nil) { try? phone.act((call, .setHeld(Bool.random(using: &random)))) }
        case 6: _ = try? phone.ask(.people(.setAway(Bool.random(using: &random))))
        case 7: try? phone.set(SettingsUpdate(doNotDisturb: Bool.random(using: &random)))
        case 8: try? phone.set(SettingsUpdate(deviceDoNotDisturb: Bool.random(using: &random)))
        case 9: _ = try? phone.ask(.accountData(.block(.handle(.generic(other)))))
        case 10: _ = try? phone.ask(.accountData(.unblock(.handle(.generic(other)))))
        default:
            if Bool.random(using: &random) {
                try? phone.set(SettingsUpdate(isListed: Bool.random(using: &random)))
            } else {
                try phone.dropConnection()
                isLive = false
            }
        }
    }
}

extension VirtualPhone {
    /// Returns the newest call that has not ended, or has a state; nil: there is none.
    fileprivate func newestCall(_ state: CallSnapshot.State?) -> CallUUID? {
        let calls = told.compactMap { if case .callChanged(let call) = $0 { call.uuid } else { nil } }
        return calls.last { uuid in
            guard let call = call(uuid) else { return false }
            return state.map { call.state == $0 } ?? !call.hasEnded
        }
    }
}
