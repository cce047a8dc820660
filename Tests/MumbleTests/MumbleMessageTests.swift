import Testing

@testable import callhub_bench_mumble

/// Tests of messages to and from a Mumble server, against the bytes that its own client and server send.
struct MumbleMessageTests {
    @Test func `a message starts with its type and its length`() {
        #expect(MumbleMessage.enter(session: 5, channel: 300) == [0, 9, 0, 0, 0, 5, 0x08, 5, 0x28, 0xac, 0x02])
    }

    @Test func `a field is found after other fields, and none is made up`() {
        let body = Array(MumbleMessage.authenticate(name: "ann", password: "pass").dropFirst(MumbleMessage.headLength))
        body.withUnsafeBytes { bytes in
            #expect(MumbleMessage.find(2, in: bytes)?.text == "pass")
            #expect(MumbleMessage.find(5, in: bytes)?.number == 1)
            #expect(MumbleMessage.find(3, in: bytes) == nil)
            // Cut in the middle of the name.
            #expect(MumbleMessage.find(2, in: UnsafeRawBufferPointer(rebasing: bytes[..<4])) == nil)
        }
    }

    @Test(arguments: [1, 70, 9000, 1_000_000])
    func `a forwarded voice packet contains its sender's session and its sending time`(packets: Int) throws {
        var voice = VoicePacket()
        for _ in 1..<packets { voice.skip() }
        var body = Array(voice.next(sentAt: 0x0102_0304_0506_0708).dropFirst(MumbleMessage.headLength))
        #expect(body[0] == 0x80)
        // The server inserts the sender's session, here 300, behind the first byte.
        body.insert(contentsOf: [0x81, 0x2c], at: 1)
        let read = try #require(body.withUnsafeBytes { VoicePacket.read($0) })
        #expect(read.session == 300)
        #expect(read.sentAt == 0x0102_0304_0506_0708)
    }

    @Test(arguments: [[], [0x80], [0x20, 1, 2, 3], [0x80, 1, 2, 0x3c]] as [[UInt8]])
    func `an invalid voice packet is ignored`(body: [UInt8]) {
        #expect(body.withUnsafeBytes { VoicePacket.read($0) } == nil)
    }
}
