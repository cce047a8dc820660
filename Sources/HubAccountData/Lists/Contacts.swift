import HubEngine

/// An account's contacts, sorted by identifier, with lookup by identifier and by handle.
struct Contacts: Hashable, Sendable {
    private(set) var all: [Contact] = []
    /// The sorted identifiers of the contacts with a handle; several contacts may share one.
    private var identifiersByHandle: [Handle: [String]] = [:]
    private var byteCount = 0

    /// Adds a contact or replaces the one with its identifier; false if nothing changes.
    mutating func put(_ contact: Contact, limits: AccountDataLimits) throws(AccountDataError) -> Bool {
        let index = position(of: contact.identifier)
        let old = self[at: index, contact.identifier]
        guard old != contact else { return false }
        let bytes = byteCount + contact.byteCount - (old?.byteCount ?? 0)
        guard all.count < limits.maximumListEntries || old != nil, bytes <= limits.maximumListBytes else {
            throw .tooMany("the contacts are full; remove some of the \(all.count) contacts first")
        }
        if let old {
            removeFromIndex(old)
            all[index] = contact
        } else {
            all.insert(contact, at: index)
        }
        byteCount = bytes
        for key in Set(contact.handles.map(\.key)) {
            identifiersByHandle[key, default: []].append(contact.identifier)
            identifiersByHandle[key]?.sort()
        }
        return true
    }

    /// The contact with an identifier; nil if there is none.
    subscript(identifier: String) -> Contact? { self[at: position(of: identifier), identifier] }

    /// Removes a contact; false if there is none with the identifier.
    mutating func remove(_ identifier: String) -> Bool {
        let index = position(of: identifier)
        guard let old = self[at: index, identifier] else { return false }
        removeFromIndex(old)
        byteCount -= old.byteCount
        all.remove(at: index)
        return true
    }

    /// Returns the contacts with a handle, sorted by identifier.
    func matching(_ handle: Handle) -> [Contact] {
        (identifiersByHandle[handle.key] ?? []).compactMap { self[at: position(of: $0), $0] }
    }

    private mutating func removeFromIndex(_ contact: Contact) {
        for key in Set(contact.handles.map(\.key)) {
            identifiersByHandle[key]?.removeAll { $0 == contact.identifier }
            if identifiersByHandle[key]?.isEmpty == true { identifiersByHandle[key] = nil }
        }
    }

    /// Returns the index at which a contact with the identifier is, or would be inserted.
    private func position(of identifier: String) -> Int {
        all.firstIndex(sortedWhere: { $0.identifier < identifier })
    }

    private subscript(at index: Int, identifier: String) -> Contact? {
        index < all.count && all[index].identifier == identifier ? all[index] : nil
    }
}

extension Array {
    /// Returns the first index in a sorted array at which `isBefore` is false; `count` if there is none.
    func firstIndex(from start: Int = 0, sortedWhere isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (start, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
