import HubAccountData
import HubEngine
import HubWire
import Testing

/// The photo and the ringtone of a contact on the wire.
struct PhotoTests {
    private func read(_ members: String) throws -> (Contact, PhotoChange)? {
        let params = #"{"identifier":"1","name":"Bob","handles":[]\#(members)}"#
        let text = #"{"jsonrpc":"2.0","id":1,"method":"contacts.put","params":\#(params)}"#
        let request = try IncomingMessage(parsing: Array(text.utf8)).content.get()
        guard case .accountData(.putContact(let contact, let photo)) = request else { return nil }
        return (contact, photo)
    }

    @Test(arguments: [3, 4, 5, 12_287, 12_288])
    func `a photo of up to 12,288 bytes is read`(size: Int) throws {
        let (_, change) = try #require(try read(#","photo":"\#(Base64.text(of: jpeg(size)))""#))
        #expect(try change == .replace(#require(Photo(jpeg(size)))))
    }

    @Test func `a photo that is left out stays, and null removes it`() throws {
        #expect(try read("")?.1 == .keep)
        #expect(try read(#","photo":null"#)?.1 == .remove)
    }

    @Test func `a client's photoHash is ignored`() throws {
        #expect(try read(#","photoHash":"00""#)?.0.photoHash == nil)
    }

    @Test(arguments: ["a", "0-9", String(repeating: "z", count: 32)])
    func `the name of a ringtone is kept, known or not`(name: String) throws {
        #expect(try read(#","ringtone":"\#(name)""#)?.0.ringtone == name)
        #expect(try read(#","ringtone":null"#)?.0.ringtone == nil)
    }
}
