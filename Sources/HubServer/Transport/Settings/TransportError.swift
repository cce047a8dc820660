/// The reason why the hub's sockets could not be set up.
public enum TransportError: Error, Equatable, CustomStringConvertible {
    /// The port is in use by another program or hub.
    case addressInUse(host: String, port: Int)

    /// The user may not bind to that port (ports below 1024 need a capability).
    case permissionDenied(host: String, port: Int)

    /// The host name resolves to no address of this machine.
    case unknownHost(String)

    /// Any other refusal of the system, with the call that failed.
    case system(call: String, code: Int32, reason: String)

    /// libwebsockets found no plugin for the libuv loop (Debian: package libwebsockets-evlib-uv).
    case eventLibraryMissing(directory: String)

    /// The certificate or its key cannot be used, in one sentence.
    case certificate(String)

    /// libwebsockets refused for a reason that it only logs.
    case libraryRefused(String)

    /// One sentence: the fault and the remedy.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "\(host):\(port) is taken; stop the program that listens there or choose another port."
        case .permissionDenied(let host, let port):
            "\(host):\(port) may not be bound by this user; choose a port from 1024 or grant CAP_NET_BIND_SERVICE."
        case .unknownHost(let host):
            "\"\(host.prefix(100))\" is no address of this machine; give an IP address, a host name of it or \"*\"."
        case .system(let call, let code, let reason):
            "\(call) failed: \(reason) (\(code))."
        case .eventLibraryMissing(let directory):
            "libwebsockets has no libuv plugin in \(directory); install the package libwebsockets-evlib-uv."
        case .certificate(let sentence):
            sentence
        case .libraryRefused(let what):
            "libwebsockets would not \(what); its warnings say why."
        }
    }
}
