import HubAccountData
import HubWire

private let iconRequirement = "it must be base64 of a PNG image of at most 12288 bytes and 1024 x 1024 pixels"
private let soundRequirement = "it must be base64 of an Ogg Opus or WAV file of at most 40960 bytes"
private let hashRequirement = "it must be 32 digits of 0-9 and a-f, as provider.list has them"

/// PNG data of some width and height in pixels and some size in bytes.
func png(width: Int = 40, height: Int = 40, size: Int = 100) -> [UInt8] {
    func big(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    let head = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    let bytes = head + big(width) + big(height)
    return bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
}

/// The head of a WAV file, and zeros up to some size in bytes.
func wav(size: Int) -> [UInt8] {
    let head = Array("RIFF\0\0\0\0WAVEfmt ".utf8)
    return head + [UInt8](repeating: 0, count: max(0, size - head.count))
}

private func set(_ member: String, _ bytes: [UInt8], _ requirement: String) -> Fault {
    let text = Base64.text(of: bytes)
    let shown = text.count > 58 ? "\"\(text.prefix(59))…" : "\"\(text)\""
    return Fault(
        "provider.setAppearance",
        #"{"\#(member)":"\#(text)"}"#,
        602,
        "params.\(member) is \(shown); \(requirement)"
    )
}

/// Icons and ringtones that are none, and hashes that are none.
let appearanceFaults: [Fault] =
    [(0, 40), (40, 0), (1_025, 40), (40, 1_025), (1 << 31, 1), (1, (1 << 32) - 1)].map { width, height in
        set("icon", png(width: width, height: height), iconRequirement)
    } + [
        set("icon", [], iconRequirement),
        set("icon", png(size: 12_289), iconRequirement),
        set("icon", Array(png().prefix(8)), iconRequirement),
        // A JPEG image is a photo, but no mask.
        set("icon", jpeg(100), iconRequirement),
        set("ringtone", [], soundRequirement),
        set("ringtone", wav(size: 40_961), soundRequirement),
        set("ringtone", Array("RIFF\0\0\0\0WEBPVP8X".utf8), soundRequirement),
        set("ringtone", Array("OggS".utf8) + [UInt8](repeating: 0, count: 40), soundRequirement),
        set("ringtone", Array("ID3 an MP3 file".utf8), soundRequirement),
        Fault(
            "provider.setAppearance",
            #"{"icon":9223372036854775807}"#,
            -32602,
            "params.icon is 9223372036854775807; \(iconRequirement)"
        ),
        Fault("provider.setAppearance", #"{"ringtone":{}}"#, -32602, "params.ringtone is {}; \(soundRequirement)"),
        Fault("provider.setAppearance", #"{"icon":"a"}"#, 602, #"params.icon is "a"; \#(iconRequirement)"#),
        Fault("provider.media", "{}", -32602, "params.hash is missing; \(hashRequirement)"),
        Fault("provider.media", #"{"hash":0}"#, -32602, "params.hash is 0; \(hashRequirement)"),
        Fault("provider.media", #"{"hash":"ABC"}"#, 602, #"params.hash is "ABC"; \#(hashRequirement)"#),
    ]
