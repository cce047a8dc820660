import CLibWebSockets

/// The check that libwebsockets will parse the head of an HTTP/1.1 request as RFC 9112 does.
///
/// The library (4.1.6) takes a line whose name is the beginning of one that it knows (`X-A`, as in `X-Auth-Token`) for
/// a name that goes on to the next colon, and so swallows the line behind it: behind a proxy that may be the one with
/// the client's address.
enum RequestHead {
    /// The state of the bytes received so far.
    enum State: Equatable {
        /// The empty line has not been received yet.
        case incomplete
        /// The library parses all lines correctly.
        case valid
        /// A line is invalid, or the library would misread it; with a sentence for the client.
        case invalid(String)
    }

    /// Checks the bytes received of a head.
    ///
    /// - Parameter bytes: The bytes from the request's first one on; those behind the head are not checked.
    /// - Returns: The state; a fault as soon as a line has it.
    static func state(of bytes: UnsafeRawBufferPointer) -> State {
        var rest = bytes[...]
        var isFirst = true
        var seen: Set<String> = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[rest.startIndex..<end]
            guard line.last == UInt8(ascii: "\r") else { return .invalid("A line of a request ends with CR LF.") }
            let content = line.dropLast()
            guard !content.isEmpty else {
                return isFirst ? .invalid("A request begins with its method.") : .valid
            }
            if let fault = isFirst ? fault(ofRequestLine: content) : fault(ofField: content, &seen) {
                return .invalid(fault)
            }
            isFirst = false
            rest = rest[(end + 1)...]
        }
        return .incomplete
    }

    /// Checks a request line (RFC 9112 section 3): `GET /path HTTP/1.1`, its words one space apart.
    private static func fault(ofRequestLine line: Slice<UnsafeRawBufferPointer>) -> String? {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x21...0x7E).contains($0) } }),
            words[2].elementsEqual("HTTP/1.1".utf8) || words[2].elementsEqual("HTTP/1.0".utf8)
        else { return "A request begins with its method, its target and HTTP/1.1, one space apart." }
        return nil
    }

    /// Checks a field line (RFC 9112 section 5): a token, a colon, and a value without control characters.
    private static func fault(ofField line: Slice<UnsafeRawBufferPointer>, _ seen: inout Set<String>) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isTokenByte)
        else { return "A header line is a name, a colon and a value." }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            return "A header's value has no control characters."
        }
        let name = String(decoding: line[..<colon].map(lowercased), as: UTF8.self)
        guard !misreadNames.contains(name) else {
            return "A header named \(name) cannot be parsed here; configure the proxy to remove it."
        }
        guard seen.insert(name).inserted || !singleNames.contains(name) else {
            return "A request has one header named \(name)."
        }
        return nil
    }

    /// True for a byte that a token may have (RFC 9110 section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The headers that must not be repeated, as it would be ambiguous which one applies.
    private static let singleNames: Set<String> = ["host", "content-length", "x-forwarded-proto", "upgrade"]

    /// The proper prefixes of the names that the library knows, except those that are such names themselves.
    static let misreadNames: Set<String> = {
        var known: [[UInt8]] = []
        while let name = lws_token_to_string(lws_token_indexes(numericCast(known.count))) {
            known.append(Array(UnsafeBufferPointer(start: name, count: lengthOfText(name))))
        }
        var misread: Set<String> = []
        for name in known {
            for count in 1..<max(name.count, 1) {
                let beginning = name[..<count]
                guard !known.contains(where: { $0.starts(with: beginning + [UInt8(ascii: ":")]) }) else { continue }
                misread.insert(String(decoding: beginning, as: UTF8.self))
            }
        }
        return misread
    }()

    private static func lengthOfText(_ text: UnsafePointer<UInt8>) -> Int {
        var count = 0
        while text[count] != 0 { count += 1 }
        return count
    }
}
