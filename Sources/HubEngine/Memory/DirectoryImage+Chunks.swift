/// An image in pieces, as a store keeps it: a load that changes little makes few of them anew.
extension DirectoryImage {
    /// A few thousand entries that stand together, shared with whatever else holds the image.
    ///
    /// Two are compared in no time where neither was made anew.
    public struct Chunk: Hashable, Sendable {
        /// What its entries are.
        public enum Kind: Int, Hashable, Sendable, CaseIterable {
            /// Numbers that are blocked.
            case blocking = 1
            /// Numbers with names.
            case identification = 2
        }

        enum Content: Hashable, Sendable {
            case blocking(NumberChunk)
            case identification(LabelChunk)
        }

        let content: Content
    }

    /// All pieces: those of blocked numbers, then those of names, each kind ascending.
    public var chunks: [Chunk] {
        entries.blocking.chunks.map { Chunk(content: .blocking($0)) }
            + entries.identification.chunks.map { Chunk(content: .identification($0)) }
    }

    /// Puts pieces together again; nil: they are not all, not in order, or not of one image.
    ///
    /// - Parameters:
    ///   - chunks: The pieces, in the order in which `chunks` gave them.
    ///   - blocking: How many numbers must be blocked.
    ///   - identification: How many names there must be.
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

    /// The numbers that are blocked, ascending.
    public var blockedNumbers: [Int64] {
        entries.blocking.chunks.flatMap { chunk in (0..<chunk.count).map { chunk.number(at: $0) } }
    }

    /// The names, ascending by number.
    public var labels: [DirectoryEntry] {
        entries.identification.chunks.flatMap { chunk in
            (0..<chunk.count).map { DirectoryEntry(chunk.number(at: $0), chunk.label(at: $0)) }
        }
    }
}

extension DirectoryImage.Chunk {
    /// What its entries are.
    public var kind: Kind {
        switch content {
        case .blocking: .blocking
        case .identification: .identification
        }
    }

    /// The smallest number in it, by which it is told from the others of its kind.
    public var firstNumber: Int64 {
        switch content {
        case .blocking(let chunk): chunk.number(at: 0)
        case .identification(let chunk): chunk.number(at: 0)
        }
    }

    /// The chunk as bytes: a mark, its entries, and a checksum.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version, UInt8(kind.rawValue)]
        switch content {
        case .blocking(let chunk): chunk.append(to: &bytes)
        case .identification(let chunk): chunk.append(to: &bytes)
        }
        return bytes + Self.sum(of: bytes[...])
    }

    /// Makes a chunk of its bytes; nil: they are damaged.
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

    /// Stands in front, so that another way to write entries can be told from this one.
    private static let version: UInt8 = 1
}
