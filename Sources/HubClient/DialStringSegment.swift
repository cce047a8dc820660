/// A part of a dial string such as `12,34;56`, which is split at its pauses.
public struct DialStringSegment: Hashable, Sendable {
    /// The digits, without pauses.
    public var digits: String
    /// The pause before the digits, or none.
    public var type: DTMFType

    /// Creates digits after a pause, or without one.
    public init(_ digits: String, _ type: DTMFType = .singleTone) {
        self.digits = digits
        self.type = type
    }

    /// Parses a dial string; the hub decides which characters are valid digits.
    ///
    /// - Parameter text: Digits, with `,` for a timed pause and `;` for one that lasts until the user continues.
    /// - Returns: The parts in order; nil if no digits follow a pause.
    public static func reading(_ text: String) -> [DialStringSegment]? {
        var parts: [DialStringSegment] = []
        var part = DialStringSegment("")
        for character in text {
            guard character == "," || character == ";" else {
                part.digits.append(character)
                continue
            }
            // The part before the first pause may be empty.
            if !part.digits.isEmpty || part.type != .singleTone { parts.append(part) }
            part = DialStringSegment("", character == "," ? .softPause : .hardPause)
        }
        parts.append(part)
        return parts.allSatisfy { !$0.digits.isEmpty } ? parts : nil
    }

    /// Returns the action that plays the digits on a call.
    public func action(on call: CallUUID) -> ActionRequest {
        ActionRequest(callUUID: call, kind: .playDTMF(digits: digits, type: type))
    }
}
