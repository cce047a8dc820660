import BrowserKit

extension Screen {
    /// The screens of calls.
    static let calls: [Screen] = [
        Screen(name: "incoming") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.ring("bob", environment, pages)
        },
        Screen(name: "incoming-waiting") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            _ = try await page.ring("carol", environment, pages)
        },
        Screen(name: "incoming-third") { page, environment, pages in
            try await page.signedIn(environment)
            let bob = try await page.connect("bob", environment, pages)
            try await page.connect("carol", asProgramOf: bob)
            _ = try await page.ring("dan", environment, pages)
            try await page.wait(for: "document.querySelectorAll(\".choice\").length === 3")
        },
        Screen(name: "incoming-two") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.ring("bob", environment, pages)
            _ = try await page.ring("carol", environment, pages)
            try await page.wait(for: "document.querySelectorAll(\".caller\").length === 2")
        },
        Screen(name: "incoming-sheet") { page, environment, pages in
            try await page.signedIn(environment)
            try await page.change("{ overlay: \"shortcuts\" }")
            _ = try await page.ring("bob", environment, pages)
        },
        Screen(name: "message") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.ring("bob", environment, pages)
            try await page.run("document.querySelector(\".tell\").click();")
            try await page.wait(for: "document.querySelector(\".sheet\")")
        },
        Screen(name: "outgoing") { page, environment, pages in
            try await page.signedIn(environment)
            let bob = try await environment.page(pages)
            try await bob.openClientTestPage(environment.hub.url, as: "bob", speaking: PageTone.bob)
            try await page.run("await bench.hub.call(\"bob\");")
            try await page.wait(for: "bench.hub.calls[0].remoteIsRinging && document.querySelector(\".main-card\")")
        },
        Screen(name: "call") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
        },
        Screen(name: "call-muted") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.press("m")
            try await page.change("{ talksMuted: true }")
        },
        Screen(name: "call-held") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.press("h")
            try await page.wait(for: "bench.hub.calls[0].state === \"held\"")
        },
        Screen(name: "call-left") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.change("{ showsCalls: false }")
        },
        Screen(name: "keypad") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.press("k")
        },
        Screen(name: "sound") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.change("{ overlay: \"sound\" }")
            try await page.wait(for: "document.querySelector(\".sheet .figures\")")
        },
        twoCalls,
        twoCallsAmongPeople,
        quality,
        group,
        Screen(name: "group-four") { page, environment, pages in
            try await page.signedIn(environment)
            let bob = try await page.connect("bob", environment, pages)
            for (name, count) in [("carol", 2), ("dan", 3), ("erin", 4)] {
                try await page.connect(name, asProgramOf: bob)
                try await page.handArrives(at: ".held-card")
                try await page.press("g")
                try await page.wait(for: "document.querySelectorAll(\".members li\").length === \(count)")
            }
        },
        Screen(name: "ended") { page, environment, pages in
            try await page.signedIn(environment)
            let bob = try await page.connect("bob", environment, pages)
            let carol = try await page.connect("carol", environment, pages)
            try await page.run(
                """
                const { setTimeout } = globalThis;
                globalThis.setTimeout = (body, delay, ...more) => setTimeout(body, delay >= 4000 ? 1e9 : delay, ...more);
                """
            )
            for other in [carol, bob] { try await other.run("await bench.hub.calls[0].end();") }
            try await page.wait(for: "document.querySelectorAll(\".held-card\").length === 2 && !bench.hub.calls[0]")
        },
        Screen(name: "reconnecting") { page, environment, pages in
            try await page.signedIn(environment)
            page.ignoreErrors("WebSocket connection to")
            environment.hub.kill()
            try await page.wait(for: "bench.hub.state === \"reconnecting\"")
        },
        Screen(name: "reconnecting-call") { page, environment, pages in
            try await page.signedIn(environment)
            let bob = try await page.connect("bob", environment, pages)
            for one in [page, bob] { one.ignoreErrors("WebSocket connection to") }
            environment.hub.kill()
            try await page.wait(for: "bench.hub.state === \"reconnecting\"")
        },
    ]

    static let twoCalls = Screen(name: "two-calls") { page, environment, pages in
        try await page.signedIn(environment)
        _ = try await page.connect("bob", environment, pages)
        _ = try await page.connect("carol", environment, pages)
    }

    /// Two calls beside the list of people: the picture of the README.
    static let twoCallsAmongPeople = Screen(name: "two-calls-people") { page, environment, pages in
        try await page.signedIn(environment)
        try await page.showHouse(people: crowd)
        _ = try await page.connect("bob", environment, pages)
        _ = try await page.connect("carol", environment, pages)
        // The machine that draws the picture may be busy.
        try await page.run(
            """
            const { change, state } = await import("/phone/state.js");
            Object.defineProperty(state, "quality", { get: () => ({ grade: "good" }), set() {} });
            change();
            """
        )
        try await page.wait(for: "document.querySelector(\".main-card .grade.good\")")
    }

    /// Two calls, with the figures of the active one: the highest of all screens.
    static let quality = Screen(name: "quality") { page, environment, pages in
        try await twoCalls.show(page, environment, pages)
        try await page.wait(for: "document.querySelector(\".main-card .grade\")")
        try await page.run("document.querySelector(\".grade\").click();")
        try await page.wait(for: "document.querySelector(\".figures dd\")")
    }

    static let group = Screen(name: "group") { page, environment, pages in
        try await twoCalls.show(page, environment, pages)
        try await page.handArrives(at: ".held-card")
        try await page.press("g")
        try await page.wait(for: "document.querySelector(\".members\")")
    }
}

extension ChromiumPage {
    /// Lets another party call Alice.
    func ring(
        _ name: String,
        _ environment: BrowserTestEnvironment,
        _ pages: OpenPages
    ) async throws -> ChromiumPage {
        let other = try await environment.page(pages)
        try await other.openClientTestPage(environment.hub.url, as: name, speaking: PageTone.bob)
        try await other.run("await bench.hub.call(\"alice\");")
        try await wait(for: "document.querySelector(\"[role=alertdialog]\")")
        return other
    }

    /// Lets another party call, and accepts.
    func connect(
        _ name: String,
        _ environment: BrowserTestEnvironment,
        _ pages: OpenPages
    ) async throws -> ChromiumPage {
        let other = try await ring(name, environment, pages)
        try await accept()
        try await other.run("await bench.call(call => call.state === \"connected\");")
        return other
    }

    /// Lets another party call, and accepts: a program without sound in the page of a third.
    ///
    /// Five pages with sound are too many for two busy cores: the page drew nothing within 30 s.
    fileprivate func connect(_ name: String, asProgramOf other: ChromiumPage) async throws {
        try await other.run(
            """
            const { CallHub } = await import("/callhub.js");
            const program = new CallHub({ storage: null });
            (globalThis.programs ??= []).push(program);
            await program.signIn({ account });
            await program.call("alice");
            """,
            ["account": .string(name)]
        )
        try await wait(for: "document.querySelector(\"[role=alertdialog]\")")
        try await accept()
    }

    private func accept() async throws {
        try await run("document.querySelector(\".choice.accept\").click();")
        try await wait(for: "!document.querySelector(\"[role=alertdialog]\") && document.querySelector(\".main-card\")")
    }
}
