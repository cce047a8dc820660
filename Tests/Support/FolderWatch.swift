import Glibc

/// Tells of changes of the files in a folder (inotify(7)), those included that happen while nobody waits.
public final class FolderWatch: Sendable {
    private let folder: TemporaryFolder
    private let descriptor: Int32

    /// Begins to watch.
    ///
    /// - Parameter folder: The folder itself; those within are not watched.
    /// - Throws: When the system watches no more.
    public init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        // From here on `deinit` closes it.
        guard inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 else {
            throw NotWatched()
        }
    }

    deinit { close(descriptor) }

    /// Waits until something has changed since the last time.
    ///
    /// - Parameter seconds: At most.
    /// - Returns: False: nothing has.
    public func wait(seconds: Double) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(max(0, seconds) * 1_000)) > 0 else { return false }
        var changes = [UInt8](repeating: 0, count: 16_384)
        while read(descriptor, &changes, changes.count) > 0 {}
        return true
    }

    struct NotWatched: Error {}
}
