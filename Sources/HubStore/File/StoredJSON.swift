import HubAccountData
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
enum QuietHoursColumn {
    static func json(_ hours: [QuietHours]) -> String {
        stored { writer in
            writer.array(hours) { writer, hours in
                writer.object { members in
                    let days = QuietHours.Weekday.allCases.filter { hours.days.contains($0) }
                    members.array("days", days) { $0.value($1.rawValue) }
                    members.member("from", hours.from)
                    members.member("to", hours.to)
                }
            }
        }
    }

    /// Decodes quiet hours; none if the column does not have them.
    static func hours(_ json: String) -> [QuietHours] {
        JSONValue(parsing: json)?.list(QuietHours.init(stored:)) ?? []
    }
}

extension QuietHours {
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
