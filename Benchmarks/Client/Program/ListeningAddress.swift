/// The address and port that a program under test listens on.
package struct ListeningAddress: Equatable {
    /// An IPv4 address in dotted decimal notation.
    package var host: String
    package var port: UInt16

    /// An address of this machine.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Returns the first address with a port in the complete lines of a program's output.
    ///
    /// Tolerant on purpose: a log line, a URL or JSON will do. A last line without a line break is ignored, since its
    /// port might be cut off; port 0 is the port asked for, not the one assigned.
    package static func first(in output: String) -> ListeningAddress? {
        guard let end = output.lastIndex(of: "\n") else {
            return nil
        }
        for match in output[..<end].matches(of: /(\d+\.\d+\.\d+\.\d+|localhost):(\d{1,5})/) {
            guard let port = UInt16(match.2), port != 0 else {
                continue
            }
            let isLocal = match.1 == "localhost" || match.1 == "0.0.0.0"
            return ListeningAddress(host: isLocal ? "127.0.0.1" : String(match.1), port: port)
        }
        return nil
    }
}
