/// Digits as people type them, taken apart at their pauses: `12,34;56`.
public struct KeyedDigits: Hashable, Sendable {
    /// What is keyed, without pauses.
    public var digits: String
    /// The pause before them, or none.
    public var type: DTMFType

    /// Digits behind a pause, or behind none.
    public init(_ digits: String, _ type: DTMFType = .singleTone) {
        self.digits = digits
        self.type = type
    }

    /// Reads what is typed; which characters are keys is for the hub to say.
    ///
    /// - Parameter text: Digits, with `,` for a pause of the hub's and `;` for one until the user goes on.
    /// - Returns: The parts in their order; nil: behind a pause there is nothing.
    public static func reading(_ text: String) -> [KeyedDigits]? {
        var parts: [KeyedDigits] = []
        var part = KeyedDigits("")
        for character in text {
            guard character == "," || character == ";" else {
                part.digits.append(character)
                continue
            }
            // Before the first pause there need be nothing.
            if !part.digits.isEmpty || part.type != .singleTone { parts.append(part) }
            part = KeyedDigits("", character == "," ? .softPause : .hardPause)
        }
        parts.append(part)
        return parts.allSatisfy { !$0.digits.isEmpty } ? parts : nil
    }

    /// The action by which they are keyed on a call.
    public func action(on call: CallUUID) -> ActionRequest {
        ActionRequest(callUUID: call, kind: .playDTMF(digits: digits, type: type))
    }
}
