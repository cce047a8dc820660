/// The photos of an account's contacts, by the contacts' identifiers.
struct Photos: Hashable, Sendable {
    private(set) var all: [String: StoredPhoto] = [:]
    private var byteCount = 0

    init(_ all: [String: StoredPhoto] = [:]) {
        self.all = all
        byteCount = all.values.reduce(0) { $0 + $1.byteCount }
    }

    subscript(identifier: String) -> StoredPhoto? { all[identifier] }

    /// Throws `tooMany` if a change would exceed the limit of all photos.
    func check(_ change: PhotoChange, of identifier: String, limits: AccountDataLimits) throws(AccountDataError) {
        guard case .replace(let photo) = change else { return }
        let others = byteCount - (all[identifier]?.byteCount ?? 0)
        guard others + photo.bytes.count <= limits.maximumPhotoBytes else {
            throw .tooMany("the photos of the contacts are full; remove some of the \(all.count) photos first")
        }
    }

    /// Applies a change that was checked.
    mutating func apply(_ change: PhotoChange, of identifier: String) {
        switch change {
        case .keep: break
        case .remove: set(nil, of: identifier)
        case .replace(let photo): set(.inMemory(photo.bytes), of: identifier)
        }
    }

    /// Releases the memory of photos that a store has.
    mutating func releaseMemory(of identifiers: some Sequence<String>) {
        for identifier in identifiers {
            all[identifier] = all[identifier]?.inStore
        }
    }

    private mutating func set(_ photo: StoredPhoto?, of identifier: String) {
        byteCount += (photo?.byteCount ?? 0) - (all[identifier]?.byteCount ?? 0)
        all[identifier] = photo
    }
}
