import HubAccountData
import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// The icons and ringtones of an account's providers at a hub.
struct ProviderAppearanceTests {
    private let fixture: VirtualHubFixture
    private let door: VirtualPhone

    init() throws {
        fixture = try VirtualHubFixture()
        door = try fixture.phone("door", on: "entrance")
    }

    private func icon(_ mark: UInt8, size: Int = 100) throws -> ProviderIcon {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let size = [UInt8](repeating: mark, count: size)
        return try #require(ProviderIcon(head + Array("IHDR".utf8) + [0, 0, 0, 40, 0, 0, 0, 40] + size))
    }

    private func ringtone(_ size: Int) throws -> ProviderRingtone {
        let head = Array("RIFF\0\0\0\0WAVEfmt ".utf8)
        return try #require(ProviderRingtone(head + [UInt8](repeating: 1, count: size - head.count)))
    }

    private func providers(_ phone: VirtualPhone) throws -> [ListedProvider] {
        guard case .providers(let list) = try phone.ask(.appearance(.list)) else {
            throw VirtualPhone.Missing("a list")
        }
        return list
    }

    private func name(_ name: String?, of phone: VirtualPhone) throws {
        var configuration = ProviderConfiguration()
        configuration.localizedName = name
        try phone.ask(.engine(.configure(configuration)))
    }

    @Test func `the account's own devices are shown name, icon and ringtone, and nobody else`() throws {
        let (page, bob) = (try fixture.phone("door", on: "page"), try fixture.phone("bob"))
        try name("Monkey Call", of: door)
        let (icon, sound) = (try icon(1), try ringtone(40_960))
        #expect(try door.ask(.appearance(.set(icon: .replace(icon), ringtone: .replace(sound)))) == .done)
        #expect(try door.ask(.appearance(.set(icon: .replace(icon), ringtone: .keep))) == .ignored)
        let list = try providers(page)
        #expect(list.map(\.name) == ["Monkey Call"] && list[0].device?.id == "entrance")
        let (iconHash, ringtoneHash) = (try #require(list[0].iconHash), try #require(list[0].ringtoneHash))
        #expect(try page.ask(.appearance(.media(hash: iconHash))) == .media(icon.bytes))
        #expect(try page.ask(.appearance(.media(hash: ringtoneHash))) == .media(sound.bytes))
        #expect(try providers(bob).isEmpty)
        #expect(throws: WireError.self) { try bob.ask(.appearance(.media(hash: iconHash))) }
    }

    @Test func `an icon outlives its device for Recents, a ringtone does not, and an erasure removes it`() throws {
        let page = try fixture.phone("door", on: "page")
        try door.ask(.appearance(.set(icon: .replace(try icon(1)), ringtone: .replace(try ringtone(100)))))
        // The name may come after the icon.
        try name("Monkey Call", of: door)
        let before = try #require(try providers(page).first)
        try door.ask(.close)
        let after = try #require(try providers(page).first)
        #expect(after.device == nil && after.name == "Monkey Call" && after.iconHash == before.iconHash)
        #expect(after.ringtoneHash == nil)
        #expect(throws: WireError.self) { try page.ask(.appearance(.media(hash: before.ringtoneHash ?? ""))) }
        try page.ask(.accountData(.erase))
        #expect(try providers(page).isEmpty)
    }

    @Test func `an icon that is removed is gone from Recents, too, and one of nine names is forgotten`() throws {
        for number in 1...9 {
            try name("App \(number)", of: door)
            try door.ask(.appearance(.set(icon: .replace(try icon(UInt8(number))), ringtone: .keep)))
        }
        try door.ask(.close)
        let page = try fixture.phone("door", on: "page")
        #expect(try providers(page).map(\.name) == (2...9).reversed().map { "App \($0)" })
        try name("App 9", of: page)
        try page.ask(.appearance(.set(icon: .replace(try icon(9)), ringtone: .keep)))
        try page.ask(.appearance(.set(icon: .remove, ringtone: .keep)))
        #expect(try providers(page).map(\.name) == ["App 9"] + (2...8).reversed().map { "App \($0)" })
        #expect(try providers(page).first?.iconHash == nil)
    }

    @Test func `an account has a megabyte for icons and ringtones, and what has ended makes room`() throws {
        let phones = try (0..<25).map { try fixture.phone("door", on: "app \($0)") }
        let sound = try ringtone(ProviderRingtone.maximumBytes)
        for phone in phones { try phone.ask(.appearance(.set(icon: .keep, ringtone: .replace(sound)))) }
        let request = ClientRequest.appearance(.set(icon: .keep, ringtone: .replace(sound)))
        let error = #expect(throws: WireError.self) { try door.ask(request) }
        #expect(error?.code.number == 429)
        #expect(try providers(door).count == 25)
        try phones[0].ask(.close)
        #expect(try door.ask(request) == .done)
    }

    private func changes(_ phone: VirtualPhone) throws -> Int {
        // After all that the hub has sent so far.
        try phone.ask(.appearance(.list))
        return phone.told.filter { $0 == .providersChanged }.count
    }

    @Test func `each device of the account but the one that changes is told of each change of the list, once`() throws {
        let (page, bob) = (try fixture.phone("door", on: "page"), try fixture.phone("bob"))
        var list = try providers(page)
        var told = 0
        for step in 0..<60 {
            let appearance: AppearanceRequest =
                switch step % 6 {
                case 0: .set(icon: .replace(try icon(UInt8(step % 4))), ringtone: .keep)
                case 1: .set(icon: .keep, ringtone: .replace(try ringtone(100 + step % 3)))
                case 2: .set(icon: .remove, ringtone: .keep)
                case 3: .set(icon: .remove, ringtone: .remove)
                default: .set(icon: .keep, ringtone: .keep)
                }
            // Within the rate of messages.
            fixture.advance(by: .seconds(1))
            try door.ask(.appearance(appearance))
            if step % 4 == 0 { try name(step % 8 == 0 ? "Monkey Call" : nil, of: door) }
            let changed = try changes(page)
            let now = try providers(page)
            #expect((changed > told) == (now != list), "step \(step): \(list) became \(now)")
            (list, told) = (now, changed)
        }
        #expect(told > 20)
        #expect(try changes(door) == 0 && changes(bob) == 0)
    }

    @Test func `a device that comes or leaves with a name is told of, and the end of the hub is not`() throws {
        let app = try fixture.phone("door", on: "app")
        #expect(try changes(door) == 0)
        try name("Monkey Call", of: app)
        try app.ask(.close)
        #expect(try changes(door) == 2)
        let again = try fixture.phone("door", on: "app")
        try name("Monkey Call", of: again)
        #expect(try changes(door) == 3)
        fixture.hub.stop()
        fixture.deliver()
        #expect(door.told.filter { $0 == .providersChanged }.count == 3)
    }

    @Test func `an account that has used up its notifications changes neither its icon nor its name`() throws {
        let fixture = try VirtualHubFixture {
            $0.causedMessagesPerSecond = 10
            $0.messagesPerSecond = 1_000_000
        }
        let app = try fixture.phone("door", on: "app")
        let page = try fixture.phone("door", on: "page")
        var refusals = 0
        for step in 0..<200 {
            let request = ClientRequest.appearance(.set(icon: .replace(try icon(UInt8(step))), ringtone: .keep))
            do {
                try app.ask(request)
            } catch let error as WireError {
                #expect(error.code.number == 429)
                refusals += 1
            }
        }
        #expect((100..<200).contains(refusals))
        #expect(page.told.filter { $0 == .providersChanged }.count == 200 - refusals)
        let request = ClientRequest.engine(.configure(ProviderConfiguration()))
        #expect(throws: WireError.self) { try app.ask(request) }
        fixture.advance(by: .seconds(60))
        try app.ask(request)
    }

    @Test func `names of 256 bytes are listed, longer ones are not`() throws {
        let page = try fixture.phone("door", on: "page")
        try name(String(repeating: "n", count: 256), of: door)
        #expect(try providers(page).count == 1)
        try name(String(repeating: "n", count: 257), of: door)
        #expect(try providers(page).isEmpty)
        try name("", of: door)
        #expect(try providers(page).isEmpty)
    }
}
