import HubEngine
import Testing

@testable import CommandLinePhone

@Suite("A phone's lines about calls")
struct CallSentenceTests {
    private func call(_ configure: (inout CallSnapshot) -> Void = { _ in }) -> CallSnapshot {
        var call = CallSnapshot(
            uuid: CallUUID(high: 1, low: 2),
            isOutgoing: true,
            state: .connected,
            hasConnected: true,
            remoteHandle: .generic("bob"),
            localizedCallerName: "bob",
            nameSource: .handle,
            isMuted: false,
            isOnHold: false,
            group: nil,
            hasVideo: false,
            capabilities: CallCapabilities(),
            remoteIsRinging: false,
            remoteIsOnHold: false,
            isTranslating: false,
            isExternal: false,
            mustReport: false,
            startedAt: nil,
            startedConnectingAt: nil,
            connectedAt: nil,
            endedAt: nil,
            endedReason: nil,
            cause: nil,
            choices: []
        )
        configure(&call)
        return call
    }

    private static let carol = CallParticipant(handle: .generic("carol"), name: "Carol Hu", nameSource: .contact)

    @Test func `a call that others have joined lists everybody in it`() {
        let (alone, joined) = (call(), call { $0.participants = [Self.carol, .hidden] })
        #expect(
            joined.participantsSentence(since: alone)
                == "In the conversation: Carol Hu (carol), bob, somebody unnamed."
        )
        #expect(joined.participantsSentence(since: joined) == nil)
        #expect(alone.participantsSentence(since: nil) == nil)
        #expect(alone.participantsSentence(since: joined) == "Only bob is left in the conversation.")
        let ended = call { $0.state = .ended }
        #expect(ended.participantsSentence(since: joined) == nil)
    }

    @Test func `a transfer says who is there now and by whom, and that it rings, and that it is connected (CH-06)`() {
        let before = call()
        let given = call {
            ($0.remoteHandle, $0.localizedCallerName) = (.generic("carol"), "carol")
            $0.transferor = CallParticipant(handle: .generic("bob"), name: "bob", nameSource: .handle)
        }
        #expect(given.sentence(since: before)?.text == "bob has transferred you to carol.")
        var ringing = given
        ringing.remoteIsRinging = true
        #expect(ringing.sentence(since: given)?.text == "It rings at carol.")
        #expect(given.sentence(since: ringing)?.text == "Connected with carol.")
        #expect(before.sentence(since: ringing)?.text == "carol does not take the call; it goes back to bob.")
    }

    @Test func `a second transfer by the same user is said like the first (CH-05, CH-06)`() {
        let bob = CallParticipant(handle: .generic("bob"), name: "bob", nameSource: .handle)
        let first = call {
            ($0.remoteHandle, $0.localizedCallerName) = (.generic("carol"), "carol")
            $0.transferor = bob
        }
        var second = first
        (second.remoteHandle, second.localizedCallerName) = (.generic("dave"), "dave")
        #expect(second.sentence(since: first)?.text == "bob has transferred you to dave.")
        var back = first
        back.transferor = nil
        back.returned = ReturnedTransfer(handle: .generic("carol"), cause: .declined)
        (back.remoteHandle, back.localizedCallerName) = (.generic("bob"), "bob")
        #expect(first.sentence(since: back)?.text == "bob has transferred you to carol.")
    }

    @Test func `a call that rings says by whom it comes, or why it is back (CH-06)`() {
        let transferred = call {
            ($0.state, $0.hasConnected, $0.isOutgoing) = (.ringing, false, false)
            $0.transferor = Self.carol
        }
        let way = "`answer` takes the call; `end` declines it."
        #expect(transferred.sentence(since: nil)?.text == "bob calls, transferred by Carol Hu (carol). \(way)")
        var back = transferred
        back.transferor = nil
        let reasons: [(EndCause?, String)] = [
            (.declined, "declined"), (.timeout, "did not answer"), (.busy, "is busy"), (.offline, "is not signed in"),
            (.unknownHandle, "is nobody's handle"), (nil, "was not reached"), (.actionFailed, "was not reached"),
        ]
        for (cause, words) in reasons {
            back.returned = ReturnedTransfer(handle: .generic("carol"), cause: cause)
            #expect(back.sentence(since: nil)?.text == "bob is back: carol \(words). \(way)")
        }
    }

    @Test func `the transferor is told that the call is somebody else's (CH-05)`() {
        let ended = call { ($0.state, $0.cause) = (.ended, .transferred) }
        #expect(ended.sentence(since: call())?.text == "You have transferred the call with bob.")
    }

    @Test func `the end of the user's own group has no second line`() {
        let grouped = call {
            $0.group = GroupUUID(high: 3, low: 4)
            $0.participants = [Self.carol]
        }
        #expect(call().participantsSentence(since: grouped) == nil)
    }

    @Test func `a decline is shown with its text, without characters that would move the cursor`() {
        let declined = call {
            ($0.state, $0.hasConnected, $0.endedReason, $0.cause) = (.ended, false, .remoteEnded, .declined)
        }
        #expect(declined.sentence(since: call())?.text == "bob declined.")
        var withText = declined
        withText.message = "Can't talk now,\u{1B}[2J call me later"
        #expect(
            withText.sentence(since: call())?.text == "bob declined: Can't talk now,?[2J call me later"
        )
    }

    @Test func `the participants and the text of a decline are in the JSON of a call`() throws {
        let joined = PhoneCall(call { $0.participants = [Self.carol, .hidden] })
        #expect(joined.participants?.map(\.handle) == ["carol", "anonymous"])
        #expect(joined.participants?.map(\.nameSource) == ["contact", "hidden"])
        #expect(PhoneCall(call()).participants == nil)
        #expect(PhoneCall(call { $0.message = "Later" }).message == "Later")
    }
}
