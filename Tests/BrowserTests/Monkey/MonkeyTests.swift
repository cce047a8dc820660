import BrowserKit
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Three pages under random input, while calls come and go: `make monkey` runs it for ten minutes.
    struct MonkeyTests {
        @Test func `no call is answered, declined, ended or placed but by an input that meant it`() async throws {
            print("the monkey: MONKEY_SEED=\(MonkeyOptions.seed) MONKEY_SECONDS=\(MonkeyOptions.seconds)")
            let folder = try TemporaryFolder()
            let file = folder.path + "/calls.jsonl"
            let settings: [String: JSON] = ["records": ["callsFile": .string(file)]]
            try await BrowserTestEnvironment.set(settings: settings) { environment, pages in
                var monkeys: [Monkey] = []
                for (index, name) in ["alice", "bob", "carol"].enumerated() {
                    let link = try FaultyLink(to: environment.hub.port)
                    pages.links.append(link)
                    let page = try await environment.page(pages)
                    let seed = MonkeyOptions.seed &* 31 &+ UInt64(index)
                    monkeys.append(Monkey(name, page, link, seed: seed))
                }
                for monkey in monkeys { try await monkey.begin() }
                let callers = try await MonkeyCallers(
                    environment.caller("dave", pages),
                    calling: monkeys.map(\.name),
                    seed: MonkeyOptions.seed &* 31 &+ 3
                )
                try await callers.begin()
                let run = MonkeyRun(monkeys, callers, HubAccount(of: file))
                let faults = try await run.faults(within: .seconds(MonkeyOptions.seconds))
                for fault in faults { Issue.record("seed \(MonkeyOptions.seed), \(fault)") }
                let counts = await run.counts()
                print("the monkey: \(counts)")
                // A fault ends the run.
                let expected = faults.isEmpty ? MonkeyOptions.seconds / 20 : 0
                #expect(counts.acts > expected, "the monkey does something to calls: \(counts)")
            }
        }
    }
}
