import HubTestSupport
import Testing

@testable import HubStore

/// The music for parties on hold in the database (CH-09).
struct HoldMusicTests {
    private let folder: TemporaryFolder
    private let file: StoreFile

    init() throws {
        folder = try TemporaryFolder()
        file = try StoreFile(folder("hub.db"))
        for name in ["bob", "carol"] { try file.addAccount(NewAccount(name)) }
    }

    private func add(_ name: String, _ bytes: Int, to account: String?) throws -> Int64 {
        try file.addHoldMusic([UInt8](repeating: 7, count: bytes), packets: 3, name: name, to: account)
    }

    @Test func `an account's own music is played, or else the hub's, in the order of adding (CH-09)`() throws {
        #expect(try file.playedHoldMusic(of: "bob", unless: []) == PlayedHoldMusic(ids: [], tracks: nil))
        let hubs = try add("hub.wav", 4, to: nil)
        let (first, second) = (try add("one.wav", 2, to: "bob"), try add("two.wav", 3, to: "bob"))
        #expect(
            try file.holdMusic(of: "BOB") == [
                StoredTrack(id: first, name: "one.wav", packets: 3, bytes: 2),
                StoredTrack(id: second, name: "two.wav", packets: 3, bytes: 3),
            ]
        )
        let played = PlayedHoldMusic(ids: [first, second], tracks: [[7, 7], [7, 7, 7]])
        #expect(try file.playedHoldMusic(of: "bob", unless: []) == played)
        #expect(
            try file.playedHoldMusic(of: "bob", unless: [first, second])
                == PlayedHoldMusic(ids: [first, second], tracks: nil)
        )
        for other in ["carol", "nobody"] {
            let music = try file.playedHoldMusic(of: other, unless: [first])
            #expect(music == PlayedHoldMusic(ids: [hubs], tracks: [[7, 7, 7, 7]]))
        }
    }

    @Test func `a track is removed by its owner alone, and its number is not given again (CH-09)`() throws {
        let track = try add("one.wav", 2, to: "bob")
        #expect(try !file.removeHoldMusic(track, of: "carol") && !file.removeHoldMusic(track, of: nil))
        #expect(try !file.removeHoldMusic(.max, of: "bob") && !file.removeHoldMusic(.min, of: "bob"))
        #expect(try file.removeHoldMusic(track, of: "bob") && !file.removeHoldMusic(track, of: "bob"))
        #expect(try add("two.wav", 2, to: "bob") > track)
    }

    @Test func `an account has 20 MB of music at most, and the hub too (CH-09)`() throws {
        let most = StoreFile.maximumHoldMusicBytes
        for owner in ["bob", nil] {
            _ = try add("one.wav", most - 10, to: owner)
            let track = try add("two.wav", 10, to: owner)
            let failure = #expect(throws: StoreError.self) { try add("three.wav", 1, to: owner) }
            #expect(failure?.kind == .invalidArgument)
            #expect(failure?.message == "with three.wav there would be more than 20 MB of music; remove some first")
            #expect(try file.removeHoldMusic(track, of: owner))
            _ = try add("three.wav", 1, to: owner)
        }
        _ = try add("one.wav", 1, to: "carol")
    }

    @Test func `music goes with its account (CH-09)`() throws {
        let hubs = try add("hub.wav", 1, to: nil)
        _ = try add("one.wav", 2, to: "bob")
        try file.erase("bob")
        #expect(throws: StoreError.self) { try file.holdMusic(of: "bob") }
        #expect(throws: StoreError.self) { try add("two.wav", 2, to: "bob") }
        #expect(throws: StoreError.self) { try file.removeHoldMusic(1, of: "bob") }
        try file.addAccount(NewAccount("bob"))
        #expect(try file.playedHoldMusic(of: "bob", unless: []).ids == [hubs])
    }
}
