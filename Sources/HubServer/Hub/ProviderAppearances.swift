import HubAccountData
import HubEngine
import HubWire

/// The icons and ringtones of providers, in memory alone.
///
/// An icon outlives its session, so that Recents can show it beside the provider's name; a ringtone does not.
struct ProviderAppearances {
    /// An icon or a ringtone, by the name under which clients store it.
    struct Media: Hashable {
        let hash: String
        let bytes: [UInt8]
    }

    /// The icon and the ringtone of a session's provider.
    struct Appearance: Hashable {
        var icon: Media?
        var ringtone: Media?

        fileprivate var byteCount: Int { (icon?.bytes.count ?? 0) + (ringtone?.bytes.count ?? 0) }
    }

    /// An icon of an account's provider that may have signed out.
    private struct KeptIcon {
        let name: String
        let icon: Media
        let number: UInt64
    }

    private var bySession: [SessionID: Appearance] = [:]
    /// The entries of `provider.list` of the sessions that have one, as the account's devices were notified of them.
    private(set) var listed: [SessionID: ListedProvider] = [:]
    private var byteCountByAccount: [FoldedName: Int] = [:]
    private var byteCount = 0
    private var kept: [FoldedName: [KeptIcon]] = [:]
    private var keptByteCount = 0
    private var nextNumber: UInt64 = 0

    subscript(session: SessionID) -> Appearance { bySession[session] ?? Appearance() }

    // MARK: Sessions

    /// Replaces the appearance of a session.
    ///
    /// - Returns: False if the account, or the hub, has no room for it; then nothing has changed.
    mutating func set(_ appearance: Appearance, of session: SessionID, in account: FoldedName) -> Bool {
        let growth = appearance.byteCount - self[session].byteCount
        let ofAccount = (byteCountByAccount[account] ?? 0) + growth
        guard growth <= 0 || (ofAccount <= Self.maximumAccountBytes && byteCount + growth <= Self.maximumBytes) else {
            return false
        }
        bySession[session] = appearance.byteCount == 0 ? nil : appearance
        byteCountByAccount[account] = ofAccount == 0 ? nil : ofAccount
        byteCount += growth
        return true
    }

    /// Replaces the list entry of a session.
    ///
    /// - Returns: True if the entry is another one than before.
    mutating func list(_ provider: ListedProvider?, of session: SessionID) -> Bool {
        guard listed[session] != provider else { return false }
        listed[session] = provider
        return true
    }

    /// Removes the appearance and the list entry of a session that has ended.
    ///
    /// - Returns: True if the session had a list entry.
    mutating func end(_ session: SessionID, of account: FoldedName) -> Bool {
        _ = set(Appearance(), of: session, in: account)
        return list(nil, of: session)
    }

    /// The maximum size of all icons and ringtones of one account's signed-in devices, in bytes.
    ///
    /// More: more apps of one account; one account takes more of ``maximumBytes``.
    private static let maximumAccountBytes = 1_048_576
    /// The maximum size of all icons and ringtones of signed-in devices, in bytes.
    ///
    /// More: more apps; more memory.
    private static let maximumBytes = 67_108_864

    // MARK: Icons for Recents

    /// Returns the names and icons that are kept for an account, the newest first.
    func kept(of account: FoldedName) -> [(name: String, icon: Media)] {
        (kept[account] ?? []).map { ($0.name, $0.icon) }
    }

    /// Keeps the icon of a provider, or removes the one that is kept under its name.
    mutating func keep(_ icon: Media?, of name: String, in account: FoldedName) {
        remove(from: account) { $0.name == name }
        guard let icon else { return }
        nextNumber += 1
        kept[account, default: []].insert(KeptIcon(name: name, icon: icon, number: nextNumber), at: 0)
        keptByteCount += icon.bytes.count
        if let oldest = kept[account]?.last, kept[account]?.count ?? 0 > Self.maximumKeptIcons {
            remove(from: account) { $0.number == oldest.number }
        }
        while keptByteCount > Self.maximumKeptBytes,
            let oldest = kept.min(by: { ($0.value.last?.number ?? 0) < ($1.value.last?.number ?? 0) })
        {
            remove(from: oldest.key) { $0.number == oldest.value.last?.number }
        }
    }

    /// Removes the icons that are kept for an account.
    ///
    /// - Returns: True if there were any.
    @discardableResult
    mutating func removeKept(of account: FoldedName) -> Bool {
        guard kept[account] != nil else { return false }
        remove(from: account) { _ in true }
        return true
    }

    private mutating func remove(from account: FoldedName, where isRemoved: (KeptIcon) -> Bool) {
        guard let all = kept[account] else { return }
        let left = all.filter { !isRemoved($0) }
        keptByteCount -= (all.reduce(0) { $0 + $1.icon.bytes.count }) - left.reduce(0) { $0 + $1.icon.bytes.count }
        kept[account] = left.isEmpty ? nil : left
    }

    /// The maximum number of icons that are kept for an account.
    ///
    /// More: more apps whose old calls have an icon in Recents; more memory.
    private static let maximumKeptIcons = 8
    /// The maximum size of all icons that are kept, in bytes; the oldest go first.
    ///
    /// More: more accounts; more memory.
    private static let maximumKeptBytes = 16_777_216
}
