import HubAccountData
import HubEngine
import HubWire

private let photoRequirement = "it must be base64 of a JPEG, PNG or WebP image of at most 12288 bytes"
private let ringtoneRequirement = "it must be the name of a ringtone: 1 to 32 of the characters a-z, 0-9 and -"

private func put(_ member: String, _ text: String, as shown: String, _ requirement: String) -> Fault {
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"Bob","handles":[],"\#(member)":"\#(text)"}"#,
        602,
        "params.\(member) is \(shown); \(requirement)"
    )
}

/// JPEG data of a size.
func jpeg(_ size: Int) -> [UInt8] { [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: size - 3) }

/// Contacts with a faulty photo or ringtone.
let photoFaults: [Fault] = [
    put("photo", "", as: #""""#, photoRequirement),
    // One byte.
    put("photo", "/w==", as: #""/w==""#, photoRequirement),
    // A GIF.
    put("photo", "R0lGODlhAQAB", as: #""R0lGODlhAQAB""#, photoRequirement),
    // Without the padding, with a line end, and of the URL-safe alphabet.
    put("photo", "/9j/4A", as: #""/9j/4A""#, photoRequirement),
    put("photo", #"/9j/\n4AAA"#, as: #""/9j/\n4AAA""#, photoRequirement),
    put("photo", "_9j_", as: #""_9j_""#, photoRequirement),
    put("photo", Base64.text(of: jpeg(12_289)), as: "\"/9j/\(String(repeating: "A", count: 55))…", photoRequirement),
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"Bob","handles":[],"photo":7}"#,
        -32602,
        "params.photo is 7; \(photoRequirement)"
    ),
    Fault("contacts.photo", "{}", -32602, "params.identifier is missing; it must be a string"),
    put("ringtone", "", as: #""""#, ringtoneRequirement),
    put("ringtone", "Bell", as: #""Bell""#, ringtoneRequirement),
    put("ringtone", "a b", as: #""a b""#, ringtoneRequirement),
    put(
        "ringtone",
        String(repeating: "a", count: 33),
        as: #""\#(String(repeating: "a", count: 33))""#,
        ringtoneRequirement
    ),
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"Bob","handles":[],"ringtone":true}"#,
        -32602,
        "params.ringtone is true; \(ringtoneRequirement)"
    ),
]
