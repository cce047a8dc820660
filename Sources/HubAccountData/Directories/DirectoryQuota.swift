/// The memory that is available to an account's call directory.
struct DirectoryQuota {
    /// The limits of stored data.
    let limits: AccountDataLimits
    /// The bytes of all other accounts' directories.
    let bytesOfOtherAccounts: Int

    /// Refuses more bytes than one account may have, or than are left for all accounts.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the account's entries, or of its loads under way; at least 0.
    ///   - held: Further bytes of the account, which count towards the sum of all accounts alone; at least 0.
    /// - Throws: `maximumEntriesExceeded` for the account, `tooMany` for the sum.
    func check(_ bytes: Int, besides held: Int = 0) throws(AccountDataError) {
        guard bytes <= limits.maximumDirectoryBytes else {
            throw .directory(
                .maximumEntriesExceeded,
                "an account's extensions have at most \(limits.maximumDirectoryMegabytes) MB together, 8 bytes a number and "
                    + "12 bytes and its text a label; load fewer entries or shorter labels"
            )
        }
        guard bytesOfOtherAccounts + held + bytes <= limits.maximumDirectoryBytesInAll else {
            throw .tooMany(
                "the call directories of all accounts have at most \(limits.maximumDirectoryMegabytesInAll) MB together, "
                    + "which are in use; load fewer entries, or try again when others have removed some"
            )
        }
    }
}
