import COpenSSL

/// The challenges that are answered within a TLS handshake (tls-alpn-01, RFC 8737).
final class ALPNChallenges {
    private let certificate: @Sendable (String) -> CertificatePEM?

    /// Takes the certificates of a responder.
    ///
    /// - Parameter responder: The answers to challenges.
    init(_ responder: ChallengeResponder) {
        certificate = responder.alpnCertificate
    }

    /// Watches the handshakes of a context; this object must outlive it.
    ///
    /// - Parameter context: The `SSL_CTX` of a loop.
    func install(in context: OpaquePointer) {
        SSL_CTX_set_client_hello_cb(
            context,
            { session, _, data in
                guard let session, let data else { return SSL_CLIENT_HELLO_SUCCESS }
                Unmanaged<ALPNChallenges>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.begin(session) }
                return SSL_CLIENT_HELLO_SUCCESS
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Answers a challenge if the client's first message asks for one; other handshakes go on as they are.
    private func begin(_ session: OpaquePointer) {
        let isChallenge = Self.extensionData(TLSEXT_TYPE_application_layer_protocol_negotiation, of: session) {
            Self.isChallenge(protocols: $0)
        }
        guard isChallenge == true else { return }
        let name = Self.extensionData(TLSEXT_TYPE_server_name, of: session) { Self.hostName(serverNames: $0) }
        guard let name = name.flatMap(\.self), let pem = certificate(name), let pair = try? CertificatePair(.acme(pem))
        else { return }
        _ = pair.answerChallenge(in: session)
    }

    private static func extensionData<Result>(
        _ type: Int32,
        of session: OpaquePointer,
        _ read: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(session, UInt32(type), &bytes, &count) == 1 else { return nil }
        return read(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Determines if a list of protocols (RFC 7301 section 3.1) is that of a challenge: `acme-tls/1` alone.
    ///
    /// - Parameter bytes: The extension's data.
    /// - Returns: True for this one list.
    static func isChallenge(protocols bytes: some Sequence<UInt8>) -> Bool {
        let name = Array("acme-tls/1".utf8)
        return bytes.elementsEqual([0, UInt8(name.count + 1), UInt8(name.count)] + name)
    }

    /// Reads the host name of a list of server names (RFC 6066 section 3).
    ///
    /// - Parameter bytes: The extension's data.
    /// - Returns: The name in lower case; nil unless the list has one name, a host's of visible ASCII.
    static func hostName(serverNames bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes)
        guard bytes.count > 5, bytes.count <= 5 + 253, bytes[2] == 0,
            Int(bytes[0]) << 8 | Int(bytes[1]) == bytes.count - 2, Int(bytes[3]) << 8 | Int(bytes[4]) == bytes.count - 5
        else { return nil }
        let name = bytes[5...]
        guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased()
    }
}
