import HubEngine
import HubWire
import Testing

/// The messages about passkeys, passwords and photos, written and read again.
struct PasskeyMessagesTests {
    private static let challenge = PasskeyChallenge([1, 2, 3], site: "hub.example", timeoutSeconds: 300)
    private static let passkey = Passkey(
        id: [255, 254],
        site: "hub.example",
        name: "Schlüssel",
        createdAt: Instant(nanoseconds: 0),
        lastUsedAt: Instant(nanoseconds: 1_000_000)
    )

    private static let requests: [ClientRequest] = [
        .passkey(.challenge), .passkey(.create(.password("pass word"))), .passkey(.list),
        .passkey(.create(.freshSignIn)),
        .passkey(.confirm),
        .passkey(
            .create(
                .passkey(
                    PasskeyAssertion(
                        credential: [1],
                        clientData: [2],
                        authenticatorData: [3],
                        signature: [],
                        userHandle: [4]
                    )
                )
            )
        ),
        .passkey(.add(PasskeyRegistration(clientData: [1], attestationObject: [2, 3]), name: "One")),
        .passkey(.rename(id: [9], to: "Two")), .passkey(.remove(id: [9])),
        .account(.setPassword(current: "old", new: "new", keepsDevices: true)),
        .account(.setPassword(current: "old", new: "new", keepsDevices: false)), .account(.signOutOthers),
        .people(.photo(.generic("bob"))),
    ]

    @Test(arguments: requests) func `a request is read as it was written`(request: ClientRequest) throws {
        var bytes: [UInt8] = []
        request.encode(id: RequestID(1), into: &bytes)
        #expect(try IncomingMessage(parsing: bytes).content.get() == request)
    }

    private static let replies: [PasskeyReply] = [
        .challenge(challenge), .added(passkey), .list([]), .list([passkey]),
        .creation(
            PasskeyCreation(
                challenge,
                userID: [7],
                account: "alice",
                displayName: "Alice",
                algorithms: [-8, -7],
                exclude: [[1], [2, 3]]
            )
        ),
    ]

    @Test(arguments: replies) func `a result is read as it was written`(reply: PasskeyReply) throws {
        var bytes: [UInt8] = []
        HubMessage.encode(replyTo: RequestID(1), .success(.passkey(reply)), into: &bytes)
        guard case .reply(_, .success(.passkey(let read))) = try HubMessage(parsing: bytes) else {
            Issue.record("\(String(decoding: bytes, as: UTF8.self)) is read as something else")
            return
        }
        #expect(read == reply)
    }

    @Test func `the passkey of a sign-in is read as it was written`() throws {
        var open = SessionOpenRequest()
        open.passkey = PasskeyAssertion(
            credential: [1],
            clientData: [2],
            authenticatorData: [3],
            signature: [],
            userHandle: [5]
        )
        var bytes: [UInt8] = []
        ClientRequest.open(open).encode(id: RequestID(1), into: &bytes)
        guard case .open(let read) = try IncomingMessage(parsing: bytes).content.get() else { return }
        #expect(read.passkey == open.passkey)
    }
}
