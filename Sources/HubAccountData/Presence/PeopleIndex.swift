public import HubEngine

/// The accounts of a hub as its users may search for them, sorted by name.
///
/// The words for the search are made when an entry is put in, so that a search compares bytes alone.
public struct PeopleIndex: Sendable {
    /// An account in the index.
    public struct Entry: Hashable, Sendable {
        /// The name of the account.
        public var account: String
        /// The handles of the account, at least one; people are shown the first.
        public var handles: [Handle]
        /// The shown name.
        public var name: String
        /// The department, if one is known.
        public var department: String?
        /// True if others may find the account and see its presence.
        public var isListed: Bool
        /// The hash of the photo; nil: there is none.
        public var photoHash: String?

        /// Creates an entry from its parts.
        public init(
            account: String,
            handles: [Handle],
            name: String,
            department: String? = nil,
            isListed: Bool = true,
            photoHash: String? = nil
        ) {
            self.photoHash = photoHash
            self.account = account
            self.handles = handles
            self.name = name
            self.department = department
            self.isListed = isListed
        }
    }

    /// A listed account with its place in the order, and its words.
    private struct Listed: Sendable {
        let position: PeoplePosition
        let words: SearchWords
        let account: FoldedName
    }

    private var entries: [FoldedName: Entry] = [:]
    /// The listed accounts, sorted.
    private var listed: [Listed] = []

    /// Creates an empty index.
    public init() {}

    /// The number of accounts that others may find.
    public var listedCount: Int { listed.count }

    /// Returns the entry of an account; nil: it has none.
    public subscript(account: String) -> Entry? { entries[FoldedName(account)] }

    /// Puts in an account, replaces its entry, or removes it.
    ///
    /// - Parameters:
    ///   - entry: The entry; nil: the account has none any more.
    ///   - account: The name of the account.
    /// - Returns: False if nothing has changed.
    public mutating func set(_ entry: Entry?, of account: String) -> Bool {
        let account = FoldedName(account)
        let former = entries[account]
        guard former != entry else { return false }
        if let former, former.isListed {
            remove(account, at: PeoplePosition(former))
        }
        entries[account] = entry
        guard let entry, entry.isListed else { return true }
        let position = PeoplePosition(entry)
        let index = listed.firstIndex(sortedWhere: { $0.position < position })
        listed.insert(Listed(position: position, words: Self.words(of: entry), account: account), at: index)
        return true
    }

    /// Removes an account from the sorted list; while a handle changes hands, two may have one position.
    private mutating func remove(_ account: FoldedName, at position: PeoplePosition) {
        var index = listed.firstIndex(sortedWhere: { $0.position < position })
        while index < listed.count, listed[index].position == position {
            if listed[index].account == account {
                listed.remove(at: index)
                return
            }
            index += 1
        }
    }

    private static func words(of entry: Entry) -> SearchWords {
        var words = SearchWords(entry.name)
        for handle in entry.handles {
            words.add(handle.value)
            // A number is found by its digits in a row, too.
            if handle.type == .phoneNumber, handle.key != handle { words.add(handle.key.value) }
        }
        if let department = entry.department { words.add(department) }
        return words
    }

    /// Returns a page of the accounts that others may find.
    ///
    /// - Parameters:
    ///   - search: Words that must each be the beginning of a word of name, handle or department; empty: all accounts.
    ///   - after: The position behind which the page begins; nil: at the beginning.
    ///   - limit: The maximum number of entries.
    ///   - maximumBytes: The approximate maximum size of the entries; at least one is returned.
    ///   - isVisible: Indicates that the client may see an account.
    /// - Returns: The entries, and the position of the last one if others follow.
    public func page(
        _ search: String,
        after: PeoplePosition?,
        limit: Int,
        maximumBytes: Int,
        isVisible: (Entry) -> Bool
    ) -> (entries: [Entry], next: PeoplePosition?) {
        let wanted = SearchWords(search).words
        let first = after.map { after in listed.firstIndex(sortedWhere: { $0.position <= after }) } ?? 0
        var (page, bytes): ([Entry], Int) = ([], 0)
        var last: PeoplePosition?
        for candidate in listed[first...] {
            guard candidate.words.match(wanted), let entry = entries[candidate.account],
                isVisible(entry)
            else { continue }
            bytes += entry.byteCount
            guard page.count < limit, page.isEmpty || bytes <= maximumBytes else { return (page, last) }
            page.append(entry)
            last = candidate.position
        }
        return (page, nil)
    }
}

extension PeopleIndex.Entry {
    fileprivate var byteCount: Int {
        handles.first.map { handle in
            Person(handle: handle, name: name, department: department, photoHash: photoHash).byteCount
        } ?? 0
    }
}

/// The position of a person in the sorted list, by which a client asks for the next page.
public struct PeoplePosition: Hashable, Comparable, Sendable {
    /// The bytes by which the list is sorted: the folded name, the byte 0, and the first handle.
    public var bytes: [UInt8]

    /// Creates a position from its bytes; one that no person has is valid, too.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates the position of an account.
    init(_ entry: PeopleIndex.Entry) {
        bytes = []
        for scalar in SearchWords.folded(entry.name) {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        bytes.append(0)
        if let handle = entry.handles.first {
            bytes.append(UInt8(truncatingIfNeeded: 0x30 + handle.type.rawValue))
            bytes.append(contentsOf: Array(handle.value.utf8))
        }
    }

    /// Orders people by name, and those of one name by handle.
    public static func < (left: PeoplePosition, right: PeoplePosition) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
