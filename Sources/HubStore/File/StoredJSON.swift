import FoundationEssentials
import HubAccountData
import HubEngine

// Data that is only ever read as a whole is one column of JSON, which people can read too.

/// The encoding of a list of strings.
enum StoredTexts {
    static func json(_ texts: [String]) -> String {
        // Common lists are handled without an encoder and a decoder, which cost more than the rest of a call.
        if texts.isEmpty { return "[]" }
        if texts.count == 1, texts[0].utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            return "[\"\(texts[0])\"]"
        }
        return StoredJSON.encode(texts)
    }

    static func texts(_ json: String) -> [String] {
        if json == "[]" { return [] }
        let inner = json.utf8.dropFirst(2).dropLast(2)
        let isPlain = inner.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        if isPlain, json.hasPrefix("[\""), json.hasSuffix("\"]"), json.utf8.count >= 4 {
            return [String(decoding: inner, as: UTF8.self)]
        }
        return StoredJSON.decode([String].self, json) ?? []
    }
}

/// The encoding of quiet hours.
struct StoredQuietHours: Codable {
    var days: [String]
    var from: Int
    var to: Int

    static func json(_ hours: [QuietHours]) -> String {
        guard !hours.isEmpty else { return "[]" }
        return StoredJSON.encode(
            hours.map { hours in
                let days = QuietHours.Weekday.allCases.filter { hours.days.contains($0) }
                return StoredQuietHours(days: days.map(\.rawValue), from: hours.from, to: hours.to)
            }
        )
    }

    static func hours(_ json: String) -> [QuietHours] {
        (StoredJSON.decode([StoredQuietHours].self, json) ?? []).map {
            QuietHours(days: Set($0.days.compactMap { QuietHours.Weekday(rawValue: $0) }), from: $0.from, to: $0.to)
        }
    }
}

enum StoredJSON {
    static func encode(_ value: some Encodable) -> String {
        // Strings and numbers can always be encoded.
        guard let data = try? JSONEncoder().encode(value) else { return "[]" }
        return String(decoding: data, as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(json.utf8))
    }
}
