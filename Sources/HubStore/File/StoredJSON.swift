import HubAccountData
import HubEngine
import HubWire

// Data that is only ever read as a whole is one column of JSON, which people can read too.

/// The encoding of a list of strings: `["desk","phone"]`.
enum StoredStrings {
    static func json(_ texts: [String]) -> String {
        stored { $0.array(texts) { $0.value($1) } }
    }

    /// Decodes a list; empty if the column does not have one.
    static func texts(_ json: String) -> [String] {
        JSONValue(parsing: json)?.list(\.string) ?? []
    }
}

/// The encoding of quiet hours, in minutes after midnight: `[{"days":["monday"],"from":1320,"to":420}]`.
///
/// While some are skipped: `{"hours":[…],"skippedUntil":N}`, in nanoseconds since 1970.
enum QuietHoursColumn {
    static func json(_ hours: [QuietHours], skippedUntil: Instant? = nil) -> String {
        stored { writer in
            guard let skippedUntil else { return writer.array(hours) { $1.write(to: &$0) } }
            writer.object { members in
                members.array("hours", hours) { $1.write(to: &$0) }
                members.member("skippedUntil", skippedUntil.nanoseconds)
            }
        }
    }

    /// Decodes quiet hours; none if the column does not have them.
    static func hours(_ json: String) -> [QuietHours] {
        let column = JSONValue(parsing: json)
        return (column?.member("hours") ?? column)?.list(QuietHours.init(stored:)) ?? []
    }

    /// Decodes the date before which they are skipped; nil: none.
    static func skippedUntil(_ json: String) -> Instant? {
        JSONValue(parsing: json)?.member("skippedUntil")?.integer.map { Instant(nanoseconds: Int64($0)) }
    }
}

extension QuietHours {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { members in
            members.array("days", Weekday.allCases.filter { days.contains($0) }) { $0.value($1.rawValue) }
            members.member("from", from)
            members.member("to", to)
        }
    }

    /// Decodes a period without the days that are unknown; nil if the value is no period.
    fileprivate init?(stored value: JSONValue) {
        guard let days = value.member("days")?.list(\.string), let from = value.member("from")?.integer,
            let to = value.member("to")?.integer
        else { return nil }
        self.init(days: Set(days.compactMap(Weekday.init(rawValue:))), from: from, to: to)
    }
}

extension JSONValue {
    /// Decodes all elements; nil if the value is no array, or an element cannot be decoded.
    fileprivate func list<Element>(_ decode: (JSONValue) -> Element?) -> [Element]? {
        guard isArray else { return nil }
        let elements = elements
        let decoded = elements.compactMap(decode)
        return decoded.count == elements.count ? decoded : nil
    }
}

/// Writes JSON as the text of a column.
private func stored(_ body: (inout JSONWriter) -> Void) -> String {
    var bytes: [UInt8] = []
    JSONWriter.write(into: &bytes, body)
    return String(decoding: bytes, as: UTF8.self)
}
