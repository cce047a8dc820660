import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// The call directory over real sockets.
struct DirectoryLoadTests {
    typealias Object = RawPhone.Object

    private func load(_ numbers: [Int], _ more: Object = [:]) -> Object {
        let names: [Object] = []
        let load: Object = ["extension": "list", "incremental": false, "blocking": numbers, "identification": names]
        return load.merging(more) { $1 }
    }

    private func report(_ number: String, on phone: RawPhone) throws -> Object {
        let update: Object = ["remoteHandle": ["type": "phoneNumber", "value": number]]
        return try phone.ask("provider.reportNewIncomingCall", ["callUUID": UUID().uuidString, "update": update])
    }

    @Test func `a loaded directory blocks and labels external calls (CK-12, CK-15, CK-75, CK-78)`() async throws {
        try await blocking {
            let hub = try TestHub()
            let phone = try RawPhone(port: hub.port, account: "bob")
            let names = [["number": 4930, "label": "Bank"]]
            let loaded = try phone.ask("directory.load", load([4940, 4950], ["identification": names])).result
            #expect(loaded as NSDictionary? == ["blocking": 2, "identification": 1])
            #expect(try report("+49 40", on: phone).errorCode == 204)
            #expect(try report("+49 30", on: phone).result != nil)
            let call = try phone.next("call.changed").call
            #expect(call["localizedCallerName"] as? String == "Bank")
            #expect(call["nameSource"] as? String == "directory")

            let status = try phone.ask("directory.status").result?["extensions"] as? [Object]
            #expect(status?.count == 1)
            #expect(status?.first?["status"] as? String == "enabled")
            #expect(status?.first?["blocking"] as? Int == 2)
            #expect(status?.first?["incremental"] as? Bool == true)
            #expect(status?.first?["loadedAt"] as? String != nil)

            try phone.ask("directory.setEnabled", ["extension": "list", "enabled": false])
            #expect(try phone.ask("directory.load", load([1])).errorCode == 306)
            #expect(try report("4950", on: phone).errorCode == 0)
        }
    }

    @Test func `errors have CallKit's domain, code and name (CK-76)`() async throws {
        try await blocking {
            let hub = try TestHub { $0.accountData.maximumDirectoryEntries = 3 }
            let phone = try RawPhone(port: hub.port, account: "bob")
            let unordered = try phone.ask("directory.load", load([2, 1]))
            #expect(unordered.errorCode == 303)
            #expect(
                unordered.errorData as NSDictionary == [
                    "domain": "com.apple.CallKit.error.calldirectorymanager", "code": 3, "name": "entriesOutOfOrder",
                ]
            )
            #expect(try phone.ask("directory.status", ["extension": "none"]).errorCode == 301)
            #expect(try phone.ask("directory.load", load([1], ["batch": 2])).errorCode == 302)
            #expect(try phone.ask("directory.load", load([1, 1])).errorCode == 304)
            #expect(try phone.ask("directory.load", load([1, 2, 3, 4])).errorCode == 305)
            #expect(try phone.ask("directory.load", load([1], ["incremental": true])).errorCode == 308)
            #expect(try phone.ask("directory.load", load([1], ["removeBlocking": [1]])).errorCode == 308)
        }
    }

    @Test func `long labels are limited by their bytes per account and in total (305, 429)`() async throws {
        try await blocking {
            let hub = try TestHub {
                $0.accountData.maximumDirectoryMegabytes = 1
                $0.accountData.maximumDirectoryMegabytesInAll = 2
            }
            /// Loads batches of 200 labels of 256 bytes until one is refused; the refusal, and how many were taken.
            func fill(_ account: String, upTo most: Int = 40) throws -> (phone: RawPhone, refusal: Object, taken: Int) {
                let phone = try RawPhone(port: hub.port, account: account)
                let label = String(repeating: "x", count: 256)
                for batch in 1...most {
                    let names = (0..<200).map { ["number": batch * 1_000 + $0, "label": label] as Object }
                    let more: Object = ["identification": names, "batch": batch, "final": false]
                    let reply = try phone.ask("directory.load", load([], more))
                    if reply.errorCode != 0 { return (phone, reply, batch - 1) }
                }
                return (phone, [:], most)
            }
            let greedy = try fill("greedy")
            #expect((greedy.refusal.errorCode, greedy.taken) == (305, 19))
            #expect(greedy.refusal.errorMessage.contains("at most 1 MB"))
            let others = try ["anna", "berta"].map { try fill($0, upTo: 19) }
            #expect(others.map(\.taken) == [19, 19])
            let late = try fill("clara")
            #expect((late.refusal.errorCode, late.taken) == (429, 1))
            #expect(late.refusal.errorMessage.contains("all accounts have at most 2 MB"))
            #expect(try hub.metric("callhub_directory_bytes") == 2 * 19 * 200 * 268)
        }
    }

    @Test func `a load in batches belongs to its session until it is stored, cancelled or abandoned (CK-79)`()
        async throws
    {
        try await blocking {
            let hub = try TestHub()
            let phone = try RawPhone(port: hub.port, account: "bob")
            let other = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "other"]])
            #expect(try phone.ask("directory.load", load([1], ["final": false])).result?["blocking"] as? Int == 0)
            #expect(try other.ask("directory.load", load([9])).errorCode == 307)
            let stored = try phone.ask("directory.load", load([2, 3], ["batch": 2]))
            #expect(stored.result?["blocking"] as? Int == 3)

            try phone.ask("directory.load", load([1], ["final": false]))
            let cancelled = try phone.ask("directory.load", ["extension": "list", "cancel": true])
            #expect(cancelled.result?["blocking"] as? Int == 3)
            try phone.ask("directory.load", load([1], ["final": false]))
            try phone.ask("session.close")
            #expect(try phone.readToEnd() == 1000)
            #expect(try other.ask("directory.load", load([7], ["incremental": true])).result?["blocking"] as? Int == 4)
        }
    }

    @Test func `a load whose next batch is late expires (CK-79)`() async throws {
        try await blocking {
            let hub = try TestHub { $0.accountData.directoryLoadTimeout = .milliseconds(100) }
            let phone = try RawPhone(port: hub.port, account: "bob")
            let other = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "other"]])
            try phone.ask("directory.load", load([5]))
            try phone.ask("directory.load", load([6], ["final": false]))
            // Refused in either case; the code shows when the load in progress has been abandoned.
            let deadline = Deadline(seconds: 20)
            while try other.ask("directory.load", load([2, 1])).errorCode == 307 { #expect(!deadline.isOver) }
            let late = try phone.ask("directory.load", load([7, 8], ["batch": 2])).result
            #expect(late as NSDictionary? == ["blocking": 1, "identification": 0, "expired": true])
            #expect(try report("5", on: phone).errorCode == 204)
            #expect(try report("6", on: phone).errorCode == 0)
        }
    }
}
