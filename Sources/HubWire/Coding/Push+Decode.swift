import HubAccountData
import HubEngine

// Decoding of the push requests (docs/protocol.md, Push notifications).

extension ClientMethod {
    func readPushRequest(_ params: JSONMembers) throws(JSONMemberError) -> PushSubscriptionRequest {
        switch self {
        case .pushSubscribe: .subscribe(try PushSubscription(params))
        case .pushUnsubscribe:
            .unsubscribe(endpoint: params.isNull("endpoint") ? nil : try params.endpoint("endpoint"))
        default: .key
        }
    }
}

extension PushSubscription {
    /// Decodes the result of a browser's `PushSubscription.toJSON()`.
    fileprivate init(_ params: JSONMembers) throws(JSONMemberError) {
        let endpoint = try params.endpoint("endpoint")
        guard !params.isNull("keys") else { throw params.fault("keys", .missing, "be {\"p256dh\", \"auth\"}") }
        let keys = try params.object("keys", "be {\"p256dh\", \"auth\"}")
        self.init(
            endpoint: endpoint,
            key: try keys.point("p256dh"),
            secret: try keys.required("auth", "be 16 bytes in base64url", from: JSONMembers.base64URL(16)),
            expiresAt: try params.expirationTime("expirationTime")
        )
    }
}

extension JSONMembers {
    /// Decodes an uncompressed point of P-256.
    func point(_ name: String) throws(JSONMemberError) -> [UInt8] {
        try required(name, "be 65 bytes in base64url, an uncompressed point of P-256") { text in
            JSONMembers.base64URL(65)(text).flatMap { $0.first == 4 ? $0 : nil }
        }
    }

    /// Decodes a fixed number of bytes in base64url, with or without padding.
    fileprivate static func base64URL(_ count: Int) -> (String) -> [UInt8]? {
        { text in
            let end = text.utf8.count - text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            let bytes = Base64URL.bytes(of: String(text.prefix(end)))
            return bytes?.count == count ? bytes : nil
        }
    }

    fileprivate func endpoint(_ name: String) throws(JSONMemberError) -> String {
        let most = PushSubscription.maximumEndpointBytes
        return try required(name, "be an https URL of at most \(most) bytes") { text in
            guard text.utf8.count <= most, text.hasPrefix("https://"),
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            let host = text.dropFirst("https://".count).prefix { !"/?#".contains($0) }
            return host.isEmpty || host.hasPrefix(":") || host.contains("@") ? nil : text
        }
    }

    /// Decodes a DOMHighResTimeStamp: milliseconds since 1970, with or without a fraction.
    fileprivate func expirationTime(_ name: String) throws(JSONMemberError) -> Instant? {
        let requirement = "be a time in milliseconds since 1970, or null"
        guard let milliseconds = try optional(name, as: Double.self, requirement) else { return nil }
        guard (0...9_000_000_000_000).contains(milliseconds) else { throw fault(name, .invalidValue, requirement) }
        return Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
}
