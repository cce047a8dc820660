import HubAccountData
import HubEngine
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
