import Glibc

/// The state of a TCP port of this machine, for this user.
enum PortState {
    /// It can be listened on.
    case free
    /// This user may not listen on it.
    case forbidden
    /// Another program listens on it, or it cannot be had for another reason.
    case taken

    /// Finds the state of a port on all addresses, by listening on it for a moment.
    init(of port: Int) {
        let codes = [AF_INET6, AF_INET].map { Self.bindError($0, port) }
        // A machine without IPv6 is none of the port's faults.
        let faults = codes.filter { ![0, EAFNOSUPPORT, EADDRNOTAVAIL].contains($0) }
        self = faults.contains(EACCES) ? .forbidden : faults.isEmpty ? .free : .taken
    }

    private static func bindError(_ family: Int32, _ port: Int) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, 4) }
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        withUnsafeMutableBytes(of: &storage) {
            // Both address families keep the port in bytes 2 and 3, in network order.
            $0[2] = UInt8(truncatingIfNeeded: port >> 8)
            $0[3] = UInt8(truncatingIfNeeded: port)
        }
        let length = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        let result = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        return result == 0 && listen(descriptor, 1) == 0 ? 0 : errno
    }
}

/// The ports that `callhub up` listens on.
struct UpPorts: Equatable {
    /// The port for https; behind a proxy the one for http.
    let secure: Int
    /// The port for http that leads to https; nil: none.
    let redirect: Int?
    /// The sentences about ports other than the usual ones.
    let notices: [String]

    /// Chooses the ports.
    ///
    /// A port that is taken is not replaced by another: the hub would be found under another address than before.
    ///
    /// - Parameters:
    ///   - secure: The port for https that was asked for; nil: 443, or 8443 without the right for it.
    ///   - redirect: The port for http that was asked for; nil: 80, or 8080.
    ///   - state: Returns the state of a port.
    init(secure: Int?, redirect: Int?, state: (Int) -> PortState) {
        var notices: [String] = []
        if let secure {
            self.secure = secure
        } else if case .forbidden = state(443) {
            self.secure = 8443
            notices.append(
                "Port 443 needs a right that this user has not, so it is 8443; the service (--install) has it."
            )
        } else {
            self.secure = 443
        }
        let chosen = self.secure
        self.redirect =
            redirect
            ?? [80, 8080].first { port in
                if case .free = state(port) { port != chosen } else { false }
            }
        if self.redirect == nil {
            notices.append(
                "Ports 80 and 8080 are taken, so that addresses with http:// do not lead here; others have to type "
                    + "https://, or choose a free port by --redirect-port."
            )
        }
        self.notices = notices
    }

    /// The port behind a proxy.
    init(behindProxy port: Int?) {
        secure = port ?? 8080
        redirect = nil
        notices = []
    }
}
