/// The handles that an account's user does not want to be called by (row CK-11), in the order in which they were added.
struct BlockList: Hashable, Sendable {
    private(set) var handles: [Handle] = []
    private var keys: Set<Handle> = []
    private var byteCount = 0

    func contains(_ handle: Handle) -> Bool { keys.contains(handle.key) }

    /// Adds a handle; false where it is there already.
    mutating func add(_ handle: Handle, limits: MemoryLimits) throws(MemoryRefusal) -> Bool {
        guard !contains(handle) else { return false }
        let bytes = byteCount + handle.byteCount
        guard handles.count < limits.maximumListEntries, bytes <= limits.maximumListBytes else {
            throw .tooMany("the block list is full; remove some of its \(handles.count) handles first")
        }
        byteCount = bytes
        handles.append(handle)
        keys.insert(handle.key)
        return true
    }

    /// Removes a handle; false where it is not there.
    mutating func remove(_ handle: Handle) -> Bool {
        guard keys.remove(handle.key) != nil, let index = handles.firstIndex(where: { $0.key == handle.key }) else {
            return false
        }
        byteCount -= handles[index].byteCount
        handles.remove(at: index)
        return true
    }
}
