import Glibc

/// A watch on the files of a folder (inotify(7)), which also reports changes between two waits.
public final class FolderWatch: Sendable {
    private let folder: TemporaryFolder
    private let descriptor: Int32

    /// Starts to watch.
    ///
    /// - Parameter folder: The folder; folders within it are not watched.
    /// - Throws: An error if the system supports no further watch.
    public init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        // From here on `deinit` closes it.
        guard inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 else {
            throw NotWatched()
        }
    }

    deinit { close(descriptor) }

    /// Waits until something has changed since the last wait.
    ///
    /// - Parameter seconds: The longest time to wait.
    /// - Returns: True for a change; false if there was none in time.
    public func wait(seconds: Double) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(max(0, seconds) * 1_000)) > 0 else { return false }
        var changes = [UInt8](repeating: 0, count: 16_384)
        while read(descriptor, &changes, changes.count) > 0 {}
        return true
    }

    struct NotWatched: Error {}
}
