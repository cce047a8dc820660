import HubEngine

/// The contents in chunks, as a store keeps them: a load that changes little replaces few of them.
extension DirectoryContents {
    /// A few thousand consecutive entries, shared with all other holders of the contents.
    ///
    /// Two chunks that share their storage compare as equal in constant time.
    public struct Chunk: Hashable, Sendable {
        /// The kind of a chunk's entries.
        public enum Kind: Int, Hashable, Sendable, CaseIterable {
            /// Blocked numbers.
            case blocking = 1
            /// Numbers with labels.
            case identification = 2
        }

        enum Content: Hashable, Sendable {
            case blocking(NumberChunk)
            case identification(LabelChunk)
        }

        let content: Content
    }

    /// All chunks: those of blocked numbers, then those of labels, each kind ascending.
    public var chunks: [Chunk] {
        entries.blocking.chunks.map { Chunk(content: .blocking($0)) }
            + entries.identification.chunks.map { Chunk(content: .identification($0)) }
    }

    /// Creates contents from their chunks; nil if these are incomplete, out of order, or of different contents.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, in the order of `chunks`.
    ///   - blocking: The expected number of blocked numbers.
    ///   - identification: The expected number of labels.
    public init?(_ chunks: [Chunk], blocking: Int, identification: Int) {
        var numbers: [NumberChunk] = []
        var labels: [LabelChunk] = []
        for chunk in chunks {
            switch chunk.content {
            case .blocking(let chunk): numbers.append(chunk)
            case .identification(let chunk): labels.append(chunk)
            }
        }
        guard let numbers = SortedChunks(numbers), numbers.count == blocking,
            let labels = SortedChunks(labels), labels.count == identification
        else { return nil }
        var entries = DirectoryEntries()
        entries.blocking = numbers
        entries.identification = labels
        self.init(entries)
    }

    /// The blocked numbers, ascending.
    public var blockedNumbers: [Int64] {
        entries.blocking.chunks.flatMap { chunk in (0..<chunk.count).map { chunk.number(at: $0) } }
    }

    /// The labels, ascending by number.
    public var labels: [DirectoryEntry] {
        entries.identification.chunks.flatMap { chunk in
            (0..<chunk.count).map { DirectoryEntry(chunk.number(at: $0), chunk.label(at: $0)) }
        }
    }
}

extension DirectoryContents.Chunk {
    /// The kind of the chunk's entries.
    public var kind: Kind {
        switch content {
        case .blocking: .blocking
        case .identification: .identification
        }
    }

    /// The smallest number in the chunk, which identifies it among those of its kind.
    public var firstNumber: Int64 {
        switch content {
        case .blocking(let chunk): chunk.number(at: 0)
        case .identification(let chunk): chunk.number(at: 0)
        }
    }

    /// The chunk as bytes: a version, its entries, and a checksum.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version, UInt8(kind.rawValue)]
        switch content {
        case .blocking(let chunk): chunk.append(to: &bytes)
        case .identification(let chunk): chunk.append(to: &bytes)
        }
        return bytes + Self.sum(of: bytes[...])
    }

    /// Creates a chunk from its bytes; nil if they are damaged.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        let end = bytes.count - 8
        guard bytes[end...] == Self.sum(of: bytes[..<end])[...] else { return nil }
        var reader = ByteReader(bytes[..<end])
        guard reader.byte() == Self.version, let kind = reader.byte().flatMap({ Kind(rawValue: Int($0)) })
        else { return nil }
        switch kind {
        case .blocking:
            guard let chunk = NumberChunk(&reader) else { return nil }
            content = .blocking(chunk)
        case .identification:
            guard let chunk = LabelChunk(&reader) else { return nil }
            content = .identification(chunk)
        }
        guard reader.remaining == 0 else { return nil }
    }

    private static func sum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = Checksum.of(bytes.span)
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) }
    }

    /// The first byte of a chunk, for later versions of the encoding.
    private static let version: UInt8 = 1
}
