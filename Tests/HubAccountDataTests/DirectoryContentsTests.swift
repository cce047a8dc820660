import HubAccountData
import HubEngine
import Testing

/// A directory's chunks as bytes: written chunks are read, damaged ones refused.
struct DirectoryContentsTests {
    private typealias Chunk = DirectoryContents.Chunk

    private func contents(_ load: DirectoryLoad) throws -> DirectoryContents {
        let requester = AccountDataRequester(account: "bob", device: "", session: MemoryWorld.session(1))
        let changes = try AccountDataTable().plannedChanges(
            .loadDirectory(load),
            from: requester,
            at: Instant(nanoseconds: 1),
            clock: { _ in nil }
        )
        guard case .directory(_, let contents, _, _) = try #require(changes.first) else { return DirectoryContents() }
        return contents
    }

    private let numbers: [Int64] = [.min, -1, 0, 1, 127, 128, 129, 4_930_123_456, .max - 1, .max]

    @Test func `chunks are read as written, and give the same directory image`() throws {
        let labels = ["", "a", "é👩‍👩‍👧", "\u{0}", String(repeating: "x", count: 300)]
        let load = DirectoryLoad.list(
            blocking: numbers + [],
            naming: numbers.flatMap { number in labels.map { (number, $0) } }
        )
        let large = DirectoryLoad.list(
            blocking: (1...20_000).map { $0 * 7 },
            naming: (1...20_000).map { ($0 * 5, "number \($0)") }
        )
        for load in [load, large, .list()] {
            let contents = try contents(load)
            let chunks = contents.chunks
            let read = chunks.compactMap { Chunk(bytes: $0.bytes) }
            #expect(read == chunks)
            let again = DirectoryContents(
                read,
                blocking: load.blocking.count,
                identification: load.identification.count
            )
            #expect(again == contents)
            #expect(again?.blockedNumbers == load.blocking)
            #expect(again?.labels == load.identification)
            #expect(Set(chunks.map { "\($0.kind) \($0.firstNumber)" }).count == chunks.count)
        }
    }

    @Test func `missing, repeated or reordered chunks are refused`() throws {
        let chunks = try contents(.list(blocking: (1...20_000).map { $0 })).chunks
        #expect(chunks.count == 5)
        func isWhole(_ chunks: [Chunk]) -> Bool {
            DirectoryContents(chunks, blocking: 20_000, identification: 0) != nil
        }
        #expect(isWhole(chunks))
        #expect(!isWhole(Array(chunks.dropLast())))
        #expect(!isWhole(chunks + [chunks[4]]))
        #expect(!isWhole(chunks.reversed()))
        #expect(!isWhole([]))
    }

    @Test func `a changed, missing or extra byte is detected`() throws {
        let load = DirectoryLoad.list(blocking: numbers, naming: [(1, "one"), (2, "two"), (2, "deux")])
        for bytes in try contents(load).chunks.map(\.bytes) {
            for index in bytes.indices {
                for bit in 0..<8 {
                    var damaged = bytes
                    damaged[index] ^= 1 << UInt8(bit)
                    #expect(Chunk(bytes: damaged) == nil)
                }
                #expect(Chunk(bytes: Array(bytes[..<index])) == nil)
            }
            #expect(Chunk(bytes: bytes + [0]) == nil)
        }
    }

    @Test func `bytes with a valid checksum but invalid content are refused`() throws {
        // A mark, the kind, how many; distances of numbers; lengths of names; the names.
        let wrong: [[UInt8]] = [
            [], [1], [2, 1, 1, 5], [1, 3, 1, 5], [1, 1], [1, 1, 0], [1, 1, 2, 5], [1, 1, 2, 5, 0], [1, 1, 1, 5, 5],
            [1, 1, 2, 5, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], [1, 1, 255, 255, 255, 255, 15, 5],
            [1, 1, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2], [1, 2, 1, 5], [1, 2, 1, 5, 1],
            [1, 2, 1, 5, 2, 65], [1, 2, 1, 5, 1, 65, 66], [1, 2, 1, 5, 1, 0xC3], [1, 2, 2, 5, 1, 1, 1, 0xC3, 0xA9],
            [1, 2, 2, 5, 0, 1, 1, 65, 65],
            [1, 2, 17, 5] + [UInt8](repeating: 0, count: 16)
                + [UInt8](repeating: 1, count: 17) + Array(65...81),
        ]
        for bytes in wrong { #expect(Chunk(bytes: summed(bytes)) == nil, "\(bytes)") }
        let right: [[UInt8]] = [[1, 1, 2, 5, 1], [1, 2, 2, 5, 0, 1, 1, 65, 66], [1, 2, 1, 5, 2, 0xC3, 0xA9]]
        for bytes in right { #expect(Chunk(bytes: summed(bytes))?.bytes == summed(bytes), "\(bytes)") }
    }

    @Test func `arbitrary bytes are read or refused`() {
        var state: UInt64 = 1
        func next(_ bound: UInt64) -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: (state >> 33) % bound)
        }
        var read = 0
        for _ in 0..<50_000 {
            let bytes = [1, 1 + next(2), 1 + next(6)] + (0..<next(20)).map { _ in next(next(2) == 0 ? 4 : 255) }
            guard let chunk = Chunk(bytes: summed(bytes)) else { continue }
            read += 1
            #expect(Chunk(bytes: chunk.bytes) == chunk)
        }
        #expect(read > 100)
    }

    private func summed(_ bytes: [UInt8]) -> [UInt8] {
        let sum = Checksum.of(bytes.span)
        return bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) }
    }
}
