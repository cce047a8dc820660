extension Handle {
    /// The telephone number: country code and digits, as in a CXCallDirectoryPhoneNumber (callkit-semantics.md 1.11).
    ///
    /// A leading `+` and separators between digits are ignored. Nil: not a telephone number, or one without its country
    /// code, which never begins with 0.
    public var phoneNumber: Int64? {
        guard type == .phoneNumber else { return nil }
        var number: Int64 = 0
        for (index, character) in value.unicodeScalars.enumerated() {
            switch character {
            case "0"..."9":
                let (scaled, overflow) = number.multipliedReportingOverflow(by: 10)
                let (sum, carried) = scaled.addingReportingOverflow(Int64(character.value) - 0x30)
                guard !overflow, !carried, sum > 0 else { return nil }
                number = sum
            case "+" where index == 0: continue
            case " ", "-", "(", ")", ".", "/": continue
            default: return nil
            }
        }
        return phoneNumbers.contains(number) ? number : nil
    }

    /// The normalised handle, equal for the same party: numbers are compared by their digits, names without case.
    package var key: Handle {
        switch type {
        case .phoneNumber: phoneNumber.map { Handle(type: .phoneNumber, value: String($0)) } ?? self
        case .generic, .emailAddress: Handle(type: type, value: FoldedName(value).text)
        }
    }
}

/// The valid values of a CXCallDirectoryPhoneNumber: 1 to CXCallDirectoryPhoneNumberMax.
public let phoneNumbers: ClosedRange<Int64> = 1...Int64.max - 1
