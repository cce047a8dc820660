import HubClient
import HubEngine
import Testing

@testable import CommandLinePhone
@testable import CommandLineTools

@Suite("Selecting another device's call")
struct PullChoiceTests {
    private static func call(_ number: UInt64, on device: String, name: String? = nil) -> ObservedCall {
        ObservedCall(
            uuid: CallUUID(high: 0, low: number),
            isOutgoing: false,
            isOnHold: false,
            hasConnected: true,
            hasEnded: false,
            deviceID: device,
            deviceName: name
        )
    }

    private let calls = [call(1, on: "a", name: "desk"), call(2, on: "b"), call(3, on: "b")]

    private func complaint(_ name: String?, among calls: [ObservedCall]) -> String {
        do throws(UsageError) {
            return "\(try calls.find(by: name).uuid.uuidText) is meant"
        } catch {
            return error.message
        }
    }

    @Test func `a single call need not be named`() throws {
        #expect(try Array(calls.prefix(1)).find(by: nil) == calls[0])
        #expect(complaint(nil, among: []) == "There is no call on another device.")
        #expect(complaint(nil, among: calls) == "Which one? pull NUMBER.")
    }

    @Test func `a number, a UUID or a device selects a call`() throws {
        #expect(try calls.find(by: "2") == calls[1])
        #expect(try calls.find(by: calls[2].uuid.uuidText.uppercased()) == calls[2])
        #expect(try calls.find(by: "desk") == calls[0])
        #expect(try calls.find(by: "a") == calls[0])
        #expect(complaint("b", among: calls) == "That device has several calls; pull NUMBER.")
        #expect(complaint("4", among: calls) == "There is no call \"4\" on another device; `pull` lists them.")
    }
}
