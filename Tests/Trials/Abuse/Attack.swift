import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The attacks on a hub.
enum Attack: String, CaseIterable {
    case slowHandshakes = "slow-handshakes"
    case control = "control-flood"
    case audio = "audio-flood"
    case signIns = "sign-in-flood"
    case calls = "call-flood"
    case frames = "broken-frames"
    case fragments = "fragments"
    case pings = "ping-flood"
    case neverRead = "never-read"
    case separators
    case combiningMarks = "combining-marks"
    case forgedProxy = "forged-proxy"
    case digits
    case guests = "link-guests"
    case refreshes = "refresh-flood"
    case labels
    case strangers

    /// True for HTTP requests below the hub's rate limit, so that the cost of one can be measured.
    var isMeasuredByRequest: Bool {
        switch self {
        case .separators, .combiningMarks, .forgedProxy: true
        default: false
        }
    }

    /// The attacker, with the number of connections of the target's strength.
    func attacker(_ target: AttackTarget) -> any Attacker {
        let (address, strength) = (target.address, target.strength)
        return switch self {
        case .slowHandshakes: SlowHandshakes(address, count: 40 * strength)
        case .control: ControlFlood(address, count: strength)
        case .audio: AudioFlood(address, count: strength)
        case .signIns: SignInFlood(address)
        case .calls: CallFlood(address, count: strength)
        case .frames: BrokenFrames(address)
        case .fragments: Fragments(address, count: strength)
        case .pings: PingFlood(address, count: strength)
        case .neverRead: NeverRead(address, count: strength)
        case .separators: HostileRequests(address, .separators(address))
        case .combiningMarks: HostileRequests(address, .combiningMarks)
        case .forgedProxy: HostileRequests(address, .forgedProxy)
        case .digits: DigitFlood(address, count: max(1, strength / 5))
        case .guests: LinkGuests(address, count: strength, token: target.linkToken)
        case .refreshes: RefreshFlood(address, count: strength, token: target.linkToken)
        case .labels: LabelFlood(address, count: strength)
        case .strangers: UnauthenticatedFlood(address, count: strength)
        }
    }
}

/// The hub that is attacked, and the means of the attack.
struct AttackTarget {
    /// The address of the hub.
    var address: ListeningAddress
    /// Connections of an attack, 1 to 1,000.
    var strength: Int
    /// The token of a link to an account that is in a measured call.
    var linkToken: String
}

/// A client that attacks a hub, step by step.
protocol Attacker: AnyObject {
    /// The counts of what was sent and received so far.
    var tally: AttackTally { get }
    /// Does a little, and returns.
    ///
    /// - Parameter now: The time, in nanoseconds.
    func step(_ now: UInt64)
}

/// An attacker's process: `callhub-trials attack NAME,NAME PORT SECONDS STRENGTH TOKEN ADDRESS`.
enum AttackProcess {
    /// The account that the link of the trial leads to: the callee of a measured call.
    static let linkedAccount = "u1"

    /// Attacks for the given time, and prints the tallies as JSON.
    static func run(_ arguments: [String]) throws(BenchmarkError) {
        guard arguments.count == 6, let port = UInt16(arguments[1]) else {
            let words = "names, a port, seconds, a strength, a link's token and an address to come from"
            throw BenchmarkError("attack requires \(words); the trial \"abuse\" starts it")
        }
        let seconds = try number(arguments[2], "seconds", 1...3_600)
        let strength = try number(arguments[3], "strength", 1...1_000)
        try allowOpenFiles(100 * strength + 256)
        AttackSocket.source = arguments[5]
        // The calls that are measured, and their hub, come first.
        nice(10)
        let address = ListeningAddress(host: "127.0.0.1", port: port)
        let target = AttackTarget(address: address, strength: strength, linkToken: arguments[4])
        var attackers: [(String, any Attacker)] = []
        for name in arguments[0].split(separator: ",") {
            guard let attack = Attack(rawValue: String(name)) else {
                throw BenchmarkError("there is no attack \"\(name)\"")
            }
            attackers.append((attack.rawValue, attack.attacker(target)))
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
            tally.cpuNanoseconds = (try? ProcessStatistics(id: 0).cpuNanoseconds()) ?? 0
            tallies[name] = tally
        }
        try write(tallies, text: "", to: "-")
    }
}
