public import HubEngine

/// One handle of an account at a time: read and written in one transaction, so that two commands at once lose nothing.
extension StoreFile {
    /// Gives an account one more handle, behind those it has.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - name: The account.
    /// - Returns: All its handles now.
    /// - Throws: `StoreFailure`, also where the handle is somebody's already; then nothing has changed.
    @discardableResult
    public func addHandle(_ handle: Handle, to name: String) throws(StoreFailure) -> [Handle] {
        try changeHandles(of: name) { $0.append(handle) }
    }

    /// Takes a handle from an account, which must keep at least one.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - name: The account.
    /// - Returns: All its handles now.
    /// - Throws: `StoreFailure`; then nothing has changed.
    @discardableResult
    public func removeHandle(_ handle: Handle, from name: String) throws(StoreFailure) -> [Handle] {
        try changeHandles(of: name) { handles throws(StoreFailure) in
            let index = try place(of: handle, in: handles, of: name)
            guard handles.count > 1 else {
                throw StoreFailure(
                    .invalidArgument,
                    "\(quoted(handle.value)) is the only handle of \(quoted(name)); add another one first"
                )
            }
            handles.remove(at: index)
        }
    }

    /// Puts a handle that an account has in front of its others: the first one is what callees are shown.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - name: The account.
    /// - Returns: All its handles now.
    /// - Throws: `StoreFailure`; then nothing has changed.
    @discardableResult
    public func putHandleFirst(_ handle: Handle, of name: String) throws(StoreFailure) -> [Handle] {
        try changeHandles(of: name) { handles throws(StoreFailure) in
            let index = try place(of: handle, in: handles, of: name)
            handles.insert(handles.remove(at: index), at: 0)
        }
    }

    private func changeHandles(
        of name: String,
        _ change: (inout [Handle]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> [Handle] {
        try atomically { () throws(StoreFailure) in
            var handles = try accounts().first { $0.name == name }?.handles ?? []
            try change(&handles)
            // Refuses an account that nobody made.
            try setHandles(handles, of: name)
            return handles
        }
    }

    private func place(of handle: Handle, in handles: [Handle], of name: String) throws(StoreFailure) -> Int {
        guard let index = handles.firstIndex(where: { $0.storedKey == handle.storedKey }) else {
            let shown = handles.map { quoted($0.value) }.joined(separator: ", ")
            throw StoreFailure(
                .invalidArgument,
                "\(quoted(name)) has no handle \(quoted(handle.value)); it has \(shown.isEmpty ? "none" : shown)"
            )
        }
        return index
    }
}
