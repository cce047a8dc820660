import BrowserKit

/// Two programs that call the pages, answer, decline, hang up and hold, at random.
actor MonkeyCallers {
    private let page: ChromiumPage
    private let names: [String]
    private var random: MonkeyRandom

    init(_ page: ChromiumPage, calling names: [String], seed: UInt64) {
        (self.page, self.names) = (page, names)
        random = MonkeyRandom(seed: seed)
    }

    /// Signs in the second program; the page has the first.
    func begin() async throws {
        try await page.run(
            """
            const { CallHub } = await import("/callhub.js");
            const erin = new CallHub({ storage: null });
            await erin.signIn({ account: "erin" });
            globalThis.programs = [bench.hub, erin];
            /** Does something at random, after a while; what has changed meanwhile is refused. */
            globalThis.actAtRandom = async (who, choice, name, delay) => {
                await new Promise((then) => setTimeout(then, delay));
                const program = programs[who];
                const calls = program.calls.filter(({ isEnding }) => !isEnding);
                const ringing = calls.find((call) => call.choices.length > 0);
                const call = calls[Math.floor(choice * calls.length)];
                if (ringing && choice < 0.8) return choice < 0.6 ? ringing.accept() : ringing.choose("decline");
                if (!call || (calls.length < 2 && choice < 0.4)) return program.call(name);
                if (choice < 0.7) return call.end();
                return call.isOnHold ? call.resume() : call.hold();
            };
            """
        )
    }

    /// Acts until the task is cancelled.
    func callUntilCancelled() async throws {
        while !Task.isCancelled {
            let who = Int.random(in: 0...1, using: &random)
            let choice = Double.random(in: 0..<1, using: &random)
            let name = JSON.string(random.one(of: names))
            let delay = Int.random(in: 50..<700, using: &random)
            try await page.run("await actAtRandom(\(who), \(choice), \(name), \(delay)).catch(() => {});")
        }
    }
}
