import HubAccountData
import HubEngine
import HubSimulation

/// A source of random account data requests from few values, so that the same entries recur.
struct RandomAccountDataRequests {
    var random: SeededRandom
    private var lastID: UInt64 = 0
    private let words = ["a", "b", "é", "e\u{301}", "x\u{0}y", "';--", "+49 30 1", "49301", "0"]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func word() -> String { words.randomElement(using: &random) ?? "a" }

    mutating func chance(_ one: Int, of all: Int = 10) -> Bool { Int.random(in: 0..<all, using: &random) < one }

    mutating func account() -> String {
        chance(5) ? "bob" : ["é", "e\u{301}", "al\u{0}ice"].randomElement(using: &random) ?? ""
    }

    mutating func handle() -> Handle {
        Handle(type: Handle.HandleType.allCases.randomElement(using: &random) ?? .generic, value: word())
    }

    private mutating func handles() -> [Handle] { (0..<Int.random(in: 0...3, using: &random)).map { _ in handle() } }

    mutating func call() -> RecentCall {
        lastID += 1
        return RecentCall(
            id: RecentUUID(high: 9, low: lastID),
            handle: handle(),
            name: word(),
            invitation: link(),
            invitationName: chance(2) ? word() : nil,
            isOutgoing: chance(5),
            outcome: [.answered, .missed, .declined, .cancelled, .failed].randomElement(using: &random) ?? .failed,
            isSilenced: chance(2),
            devices: (0..<Int.random(in: 0...2, using: &random)).map { _ in word() },
            startedAt: Instant(nanoseconds: Int64.random(in: .min ... .max, using: &random)),
            connectedAt: chance(5) ? Instant(nanoseconds: Int64.random(in: 0...9, using: &random)) : nil,
            endedAt: Instant(nanoseconds: Int64.random(in: 0...99, using: &random)),
            hasVideo: chance(2),
            provider: chance(2) ? word() : nil,
            isUnknown: chance(2)
        )
    }

    private mutating func rule() -> BlockRule {
        if chance(6) { return .handle(handle()) }
        return link().map { .invitation($0) } ?? .prefix("49")
    }

    private mutating func link() -> InvitationID? { chance(5) ? InvitationID(chance(5) ? "link-1" : "link-2") : nil }

    private mutating func ids() -> [RecentUUID]? {
        if chance(2) { return nil }
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            RecentUUID(high: 9, low: UInt64.random(in: 0...lastID + 1, using: &random))
        }
    }

    private mutating func numbers() -> [Int64] {
        var numbers: Set<Int64> = []
        for _ in 0..<Int.random(in: 0...6, using: &random) { numbers.insert(Int64.random(in: 1...20, using: &random)) }
        if chance(1, of: 60) { numbers.formUnion((0..<9_000).map { $0 * 3 + Int64.random(in: 1...3, using: &random) }) }
        return numbers.sorted()
    }

    private mutating func load() -> DirectoryLoad {
        var load = DirectoryLoad(word(), isIncremental: chance(5))
        load.blocking = numbers()
        load.identification = numbers().map { DirectoryEntry($0, word()) }
        if load.isIncremental {
            load.removeBlocking = numbers()
            load.removeIdentification = numbers()
            load.removesAllBlocking = chance(1)
            load.removesAllIdentification = chance(1)
        }
        load.title = chance(3) ? chance(3) ? "" : word() : nil
        load.batch = chance(8) ? 1 : 2
        load.isFinal = chance(8)
        return load
    }

    private mutating func settings() -> SettingsUpdate {
        var update = SettingsUpdate()
        if chance(3) { update.doNotDisturb = chance(5) }
        if chance(3) {
            update.quietHours = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                let days = QuietHours.Weekday.allCases.filter { _ in chance(5) }
                return QuietHours(days: Set(days), from: Int.random(in: 0...1_439, using: &random), to: 7)
            }
        }
        if chance(3) { update.quietHoursSkippedUntil = Instant(nanoseconds: .random(in: 0...9_999, using: &random)) }
        if chance(3) { update.timeZone = word() }
        if chance(5) { update.deviceDoNotDisturb = chance(5) }
        if chance(3) { update.displayName = word() }
        if chance(3) { update.isNamedInGroups = chance(5) }
        if chance(3) { update.acceptsTransferredStrangers = chance(5) }
        if chance(3) { update.holdAudio = [.hub, .silence, .tone, .music].randomElement(using: &random) }
        if chance(3) { update.isListed = chance(2) }
        if chance(3) { update.photo = photo() }
        return update
    }

    private mutating func photo() -> PhotoChange {
        if chance(3) { return .keep }
        let bytes = [0xFF, 0xD8, 0xFF] + (0..<Int.random(in: 1...9, using: &random)).map { UInt8($0) }
        return chance(2) ? .remove : Photo(bytes).map { .replace($0) } ?? .keep
    }

    private static func photoHash(_ bytes: [UInt8]) -> String { "\(bytes.count) \(bytes.last ?? 0)" }

    mutating func request() -> AccountDataRequest {
        switch Int.random(in: 0..<24, using: &random) / 2 {
        case 0: .setSettings(settings()).settingPhotoHash(Self.photoHash)
        case 1: .block(rule())
        case 2: .unblock(rule())
        case 3, 4:
            .putContact(
                Contact(
                    identifier: word(),
                    name: word(),
                    handles: handles(),
                    isFavorite: chance(5),
                    breaksThroughDoNotDisturb: chance(5),
                    ringtone: chance(3) ? "bell" : nil
                ),
                photo: photo()
            )
            .settingPhotoHash(Self.photoHash)
        case 5: .removeContact(identifier: word())
        case 6: .markRecentsSeen(ids())
        case 7: .removeRecents(ids())
        case 8, 9: .loadDirectory(load())
        case 10: chance(9) ? .setDirectoryEnabled(identifier: word(), chance(7)) : .erase
        default: .setDirectoryEnabled(identifier: word(), chance(7))
        }
    }
}
