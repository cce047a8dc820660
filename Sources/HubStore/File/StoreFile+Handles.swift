public import HubEngine

/// Changes of a single handle, each in one transaction, so that concurrent commands lose no change.
extension StoreFile {
    /// Adds a handle to an account, after its others.
    ///
    /// - Parameters:
    ///   - handle: The handle to add.
    ///   - name: The name of the account.
    /// - Returns: All handles of the account.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `invalidArgument` if
    ///   a handle is empty; `handleTaken` if the handle is already one of this or another account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    @discardableResult
    public func addHandle(_ handle: Handle, to name: String) throws(StoreError) -> [Handle] {
        try changeHandles(of: name) { $0.append(handle) }
    }

    /// Removes a handle from an account, which must keep at least one.
    ///
    /// - Parameters:
    ///   - handle: The handle to remove.
    ///   - name: The name of the account.
    /// - Returns: All handles of the account.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `invalidArgument` if
    ///   the account does not have the handle, or no other one; `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or
    ///   `fault` from the database; then nothing has changed.
    @discardableResult
    public func removeHandle(_ handle: Handle, from name: String) throws(StoreError) -> [Handle] {
        try changeHandles(of: name) { handles throws(StoreError) in
            let index = try position(of: handle, in: handles, of: name)
            guard handles.count > 1 else {
                throw StoreError(
                    .invalidArgument,
                    "\(quoted(handle.value)) is the only handle of \(quoted(name)); add another one first"
                )
            }
            handles.remove(at: index)
        }
    }

    /// Moves a handle before the account's others; callees are shown the first one.
    ///
    /// - Parameters:
    ///   - handle: The handle to move.
    ///   - name: The name of the account.
    /// - Returns: All handles of the account.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `invalidArgument` if
    ///   the account does not have the handle; `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` from the
    ///   database; then nothing has changed.
    @discardableResult
    public func putHandleFirst(_ handle: Handle, of name: String) throws(StoreError) -> [Handle] {
        try changeHandles(of: name) { handles throws(StoreError) in
            let index = try position(of: handle, in: handles, of: name)
            handles.insert(handles.remove(at: index), at: 0)
        }
    }

    private func changeHandles(
        of name: String,
        _ change: (inout [Handle]) throws(StoreError) -> Void
    ) throws(StoreError) -> [Handle] {
        try atomically { () throws(StoreError) in
            var handles = try accounts().first { $0.name.nameKey == name.nameKey }?.handles ?? []
            try change(&handles)
            // Throws for an account that no operator has created.
            try setHandles(handles, of: name)
            return handles
        }
    }

    private func position(of handle: Handle, in handles: [Handle], of name: String) throws(StoreError) -> Int {
        guard let index = handles.firstIndex(where: { $0.storedKey == handle.storedKey }) else {
            let shown = handles.map { quoted($0.value) }.joined(separator: ", ")
            throw StoreError(
                .invalidArgument,
                "\(quoted(name)) has no handle \(quoted(handle.value)); it has \(shown.isEmpty ? "none" : shown)"
            )
        }
        return index
    }
}
