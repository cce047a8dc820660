import Glibc

/// The maximum number of open descriptors of this process (RLIMIT_NOFILE).
enum DescriptorLimit {
    /// The descriptors left for files, databases and other loops.
    static let reserve = 64

    /// Raises the soft limit as far as needed and allowed.
    ///
    /// It is not simply raised to the hard limit: libwebsockets keeps a table of that size per context, and under some
    /// container engines the hard limit is a thousand million.
    ///
    /// - Parameter connections: The number of sockets needed at once.
    /// - Returns: The number of sockets available, at least 1.
    static func raise(for connections: Int) -> Int {
        let wanted = max(connections, 1)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        let needed = rlim_t(clamping: wanted.addingReportingOverflow(1024).partialValue)
        if limit.rlim_cur < needed, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(needed, limit.rlim_max)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return min(wanted, max(Int(clamping: limit.rlim_cur) - reserve, 1))
    }
}
