import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The kinds of attack on a hub.
enum Attack: String, CaseIterable {
    case slowHandshakes = "slow-handshakes"
    case control = "control-flood"
    case audio = "audio-flood"
    case signIns = "sign-in-flood"
    case calls = "call-flood"
    case frames = "broken-frames"
    case fragments = "fragments"
    case pings = "ping-flood"
    case deaf = "never-read"

    /// Creates the attacker, whose number of connections follows from `strength`.
    func attacker(_ address: ListeningAddress, strength: Int) -> any Attacker {
        switch self {
        case .slowHandshakes: SlowHandshakes(address, count: 40 * strength)
        case .control: ControlFlood(address, count: strength)
        case .audio: AudioFlood(address, count: strength)
        case .signIns: SignInFlood(address)
        case .calls: CallFlood(address, count: strength)
        case .frames: BrokenFrames(address)
        case .fragments: Fragments(address, count: strength)
        case .pings: PingFlood(address, count: strength)
        case .deaf: NeverRead(address, count: strength)
        }
    }
}

/// An attacker that works step by step.
protocol Attacker: AnyObject {
    /// The counts of the attack so far.
    var tally: AttackTally { get }
    /// Performs a little of the attack, and returns.
    ///
    /// - Parameter now: The time in nanoseconds of the monotonic clock.
    func step(_ now: UInt64)
}

/// An attacker's process: `callhub-trials attack NAME,NAME PORT SECONDS STRENGTH`.
enum AttackProcess {
    /// Attacks for that many seconds, then prints the tallies as JSON.
    static func run(_ arguments: [String]) throws(BenchmarkError) {
        guard arguments.count == 4, let port = UInt16(arguments[1]) else {
            throw BenchmarkError("attack wants names, a port, seconds and a strength; the trial \"abuse\" starts it")
        }
        let seconds = try number(arguments[2], "seconds", 1...3_600)
        let strength = try number(arguments[3], "strength", 1...1_000)
        try allowOpenFiles(100 * strength + 256)
        // The measured calls and their hub have precedence.
        nice(10)
        let address = ListeningAddress(host: "127.0.0.1", port: port)
        var attackers: [(String, any Attacker)] = []
        for name in arguments[0].split(separator: ",") {
            guard let attack = Attack(rawValue: String(name)) else {
                throw BenchmarkError("there is no attack \"\(name)\"")
            }
            attackers.append((attack.rawValue, attack.attacker(address, strength: strength)))
        }
        let end = monotonicNanoseconds() + UInt64(seconds) * 1_000_000_000
        while case let now = monotonicNanoseconds(), now < end {
            for (_, attacker) in attackers { attacker.step(now) }
            var nap = timespec(tv_sec: 0, tv_nsec: 200_000)
            nanosleep(&nap, nil)
        }
        var tallies: [String: AttackTally] = [:]
        for (name, attacker) in attackers {
            var tally = attacker.tally
            tally.cpuNanoseconds = (try? ProcessFigures(id: 0).cpuNanoseconds()) ?? 0
            tallies[name] = tally
        }
        try write(tallies, text: "", to: "-")
    }
}
