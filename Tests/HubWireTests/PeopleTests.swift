import HubAccountData
import HubEngine
import Testing

@testable import HubWire

/// People and their presence, in the notation of docs/protocol.md.
struct PeopleTests {
    private func json(_ payload: ReplyPayload) -> String { payload.json }

    @Test func `a person has only the members that are known, and until only with quiet hours`() throws {
        let end = Instant(nanoseconds: 1_767_250_800_000_000_000)
        let people = [
            Person(handle: .generic("bob"), name: "Bob", department: "Sales", presence: .onCall),
            Person(handle: .generic("carol"), name: "Carol", presence: .doNotDisturb(until: end)),
            Person(handle: .generic("dan"), name: "dan", presence: .doNotDisturb(until: nil)),
            Person(handle: .generic("nobody")),
        ]
        #expect(
            json(.people(people, next: "x")) == #"{"people":[{"handle":{"type":"generic","value":"bob"},"#
                + #""name":"Bob","department":"Sales","presence":"onCall"},"#
                + #"{"handle":{"type":"generic","value":"carol"},"name":"Carol","presence":"doNotDisturb","#
                + #""until":"2026-01-01T07:00:00.000Z"},"#
                + #"{"handle":{"type":"generic","value":"dan"},"name":"dan","presence":"doNotDisturb"},"#
                + #"{"handle":{"type":"generic","value":"nobody"},"presence":"unknown"}],"next":"x"}"#
        )
    }

    @Test func `a client keeps a presence of a newer hub by its name`() throws {
        let text =
            #"{"jsonrpc":"2.0","method":"people.changed","params":{"seq":7,"people":["#
            + #"{"handle":{"type":"generic","value":"bob"},"name":"Bob","presence":"presenting","since":1}]}}"#
        let person = Person(handle: .generic("bob"), name: "Bob", presence: .other("presenting"))
        #expect(try HubMessage(parsing: Array(text.utf8)) == .notification(seq: 7, .peopleChanged([person])))
    }

    @Test func `settings of an older hub have no isListed, and count as listed`() throws {
        let text =
            #"{"jsonrpc":"2.0","id":1,"result":{"doNotDisturb":false,"device":{"doNotDisturb":false},"displayName":""}}"#
        let settings = ReplyPayload.settings(DeviceSettings())
        #expect(try HubMessage(parsing: Array(text.utf8)) == .reply(RequestID(1), .success(settings)))
    }
}
