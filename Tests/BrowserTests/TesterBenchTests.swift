import BrowserKit
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of `bench.html`: phones side by side in one page, for those who test hold, swap and merge.
    @Suite(.timeLimit(.minutes(4)))
    struct TesterBenchTests {
        @Test func `a story by clicks is heard at each step, saved, and run with the same verdict elsewhere`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 1440, height: 900)
                try await page.openTesterBench(environment.hub.url)
                try await page.dial("carol", on: "alice")
                try await page.waitToSee("alice: ; bob: ; carol: ")
                try await page.pressButton("carol: accept A")
                try await page.waitToSee("alice: carol; bob: ; carol: alice")
                try await page.dial("carol", on: "bob")
                try await page.pressButton("carol: hold and accept B")
                try await page.waitToSee("alice: ; bob: carol; carol: bob")
                try await page.pressButton("carol: swap")
                try await page.waitToSee("alice: carol; bob: ; carol: alice")
                try await page.pressButton("carol: merge A with B")
                try await page.waitToSee("alice: bob carol; bob: alice carol; carol: alice bob")
                try await page.pressButton("bob: mute B")
                try await page.waitToSee("alice: carol; bob: alice carol; carol: alice")
                try await page.pressButton("bob: unmute B")
                try await page.waitToSee("alice: bob carol; bob: alice carol; carol: alice bob")
                try await page.pressButton("carol: split A")
                try await page.waitToSee("alice: carol; bob: ; carol: alice")
                try await page.pressButton("bob: end B")
                try await page.pressButton("alice: end A")
                try await page.waitToSee("alice: ; bob: ; carol: ")
                let text = try await page.saveScenario()
                for line in [
                    "parties alice, bob, carol", "carol: hold and accept B", "expect carol's A is held",
                    "expect carol hears bob",
                    "expect alice hears bob and carol", "expect alice hears nothing", "carol: split A",
                ] {
                    #expect(text.split(separator: "\n").contains { $0 == line }, "\(line) in \(text)")
                }
                try await expectToPass(text)
                try await page.openScenario(text)
                try await page.wait(
                    for: "document.querySelector(\"[role=status]\").textContent.startsWith(\"Passed\")",
                    seconds: 90
                )
            }
        }

        @Test func `a dropped, a frozen and a delayed phone stay as they are until the tester ends it`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                page.ignoreErrors("WebSocket")
                try await page.openTesterBench(environment.hub.url)
                try await page.openSwitches()
                try await page.dial("bob", on: "alice")
                try await page.pressButton("bob: accept A")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
                try await page.pressButton("bob drops")
                try await page.waitToSee("alice: ; bob: ; carol: ")
                try await page.pressButton("bob resumes")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
                try await page.pressButton("bob freezes")
                // Frozen, bob does not learn of it.
                try await page.pressButton("alice: hold A")
                try await page.wait(for: "document.querySelector(\"[aria-label='alice: unhold A']\")")
                try await page.waitToSee("alice: ; bob: ; carol: ")
                #expect(
                    try await page.value(
                        "document.querySelector(\".phone:nth-child(2) li\").innerText.includes(\"held by remote\")"
                    ) == false
                )
                try await page.pressButton("bob thaws")
                try await page.wait(
                    for: "document.querySelector(\".phone:nth-child(2) li\").innerText.includes(\"held by remote\")"
                )
                try await page.pressButton("alice: unhold A")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
                try await page.fill("bob: delay of the connection in ms", "300")
                let start = try await page.value("performance.now()").number ?? 0
                try await page.pressButton("bob: mute A")
                try await page.wait(for: "document.querySelector(\"[aria-label='bob: unmute A']\")")
                // The request and its answer are 300 ms later each.
                #expect(try await page.value("performance.now()").number ?? 0 > start + 600)
                try await page.fill("bob: delay of the connection in ms", "0")
                let text = try await page.saveScenario()
                for line in ["bob drops", "bob resumes", "bob freezes", "bob thaws", "bob is delayed by 300 ms"] {
                    #expect(text.contains("\n\(line)\n"), "\(text)")
                }
                try await expectToPass(text)
            }
        }

        @Test func `late, failed and missing fulfilments of a manual phone become lines of the scenario`() async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openTesterBench(environment.hub.url)
                try await page.openSwitches()
                try await page.choose("late", of: "bob: fulfilment")
                try await page.wait(
                    for: "document.querySelector(\".phone:nth-child(2)\").innerText.includes(\"manual\")"
                )
                try await page.wait(for: "document.querySelector(\"[aria-label='bob: whom to call']\")")
                try await page.fill("bob: delay of fulfilment in ms", "700")
                try await page.dial("bob", on: "alice")
                try await page.pressButton("bob: accept A")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
                try await page.choose("fail", of: "bob: fulfilment")
                try await page.pressButton("bob: hold A")
                try await page.wait(for: "document.querySelector(\".steps\").innerText.includes(\"bob fails hold A\")")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
                try await page.choose("none", of: "bob: fulfilment")
                try await page.pressButton("bob: end A")
                try await page.pressButton("bob fulfills end A")
                try await page.waitToSee("alice: ; bob: ; carol: ")
                let text = try await page.saveScenario()
                for line in [
                    "party bob: manual", "wait 700 ms", "bob fulfills answer A", "bob fails hold A",
                    "bob fulfills end A",
                ] {
                    #expect(text.contains("\n\(line)\n"), "\(text)")
                }
                try await expectToPass(text)
            }
        }

        @Test func `digits, silence, the server's tone and music, and Do Not Disturb are part of a story`() async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openTesterBench(environment.hub.url)
                try await page.openSwitches()
                try await page.dial("bob", on: "alice")
                try await page.pressButton("bob: accept A")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
                try await page.fill("alice: keys on A", "12#")
                try await page.dial("echo", on: "carol")
                try await page.waitToSee("alice: bob; bob: alice; carol: carol")
                try await page.pressButton("carol: end B")
                try await page.dial("tone", on: "carol")
                try await page.waitToSee("alice: bob; bob: alice; carol: tone")
                try await page.pressButton("bob is silent")
                try await page.waitToSee("alice: ; bob: alice; carol: tone")
                try await page.pressButton("carol: end C")
                try await page.dial("music", on: "carol")
                try await page.waitToSee("alice: ; bob: alice; carol: music")
                try await page.run("document.querySelector(\".phone:nth-child(3) input[type=checkbox]\").click();")
                let isNoted = "document.querySelector(\".steps\").innerText.includes(\"carol: do not disturb on\")"
                try await page.wait(for: isNoted)
                let text = try await page.saveScenario()
                for line in ["expect bob is told dtmf 12#", "expect carol hears himself", "expect carol hears music"] {
                    #expect(text.contains("\n\(line)"), "\(text)")
                }
                try await expectToPass(text)
            }
        }

        @Test func `several callers ring a phone at once, and refusals are noted`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openTesterBench(environment.hub.url)
                try await page.openSwitches()
                try await page.pressButton("alice: a call in 5 s")
                try await page.pressButton("alice: decline A")
                try await page.wait(for: "!document.querySelector(\".phone li\")")
                try await page.fill("alice: number of callers", "3")
                try await page.wait(for: "document.querySelectorAll(\".phone\").length === 4")
                try await page.pressButton("alice: accept B")
                try await page.waitToSee("alice: bob; bob: alice; carol: ; dave: ")
                try await page.dial("bob", on: "alice")
                try await page.wait(
                    for:
                        "document.querySelector(\".steps\").innerText.includes(\"alice cannot call bob: maximumCallGroupsReached\")"
                )
                let text = try await page.saveScenario()
                #expect(text.contains("together:\n    bob calls alice as B\n    carol calls alice as C\n"), "\(text)")
                try await expectToPass(text)
            }
        }

        @Test func `a line that the page cannot do is named, and ends the run there`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openTesterBench(environment.hub.url)
                try await page.openScenario("alice calls bob as A\nhub restarts\nbob: accept A\n")
                let sentence = "Line 2: This page cannot do “hub restarts”; callhub scenario run can."
                try await page.wait(
                    for: "document.querySelector(\"[role=status]\").textContent === sentence",
                    ["sentence": .string(sentence)]
                )
                #expect(
                    try await page.value(
                        "[...document.querySelectorAll(\".steps li\")].map(one => one.className).slice(0, 3)"
                    )
                        == ["passed", "failed", ""]
                )
            }
        }

        @Test func `an opened scenario is done step by step, each by a press, and tells which is next`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openTesterBench(environment.hub.url)
                let lines = ["alice calls bob as A", "bob: accept A", "expect bob hears alice", "alice: end A"]
                try await page.choose(scenario: lines.joined(separator: "\n") + "\n")
                let states = """
                    [...document.querySelectorAll("[aria-label='Steps of the file'] > li")].map(one => one.className)
                    """
                for done in 0...lines.count {
                    let wanted = (0..<lines.count).map { JSON.string($0 < done ? "passed" : "") }
                    try await page.wait(
                        for: "JSON.stringify(\(states)) === JSON.stringify(wanted)",
                        ["wanted": .array(wanted)]
                    )
                    switch done {
                    case 1: try await page.wait(for: "document.querySelector(\"[aria-label='bob: accept A']\")")
                    case 2: try await page.waitToSee("alice: bob; bob: alice")
                    case lines.count: try await page.waitToSee("alice: ; bob: ")
                    default: break
                    }
                    if done < lines.count { try await page.pressButton(text: "Do the next step") }
                }
                let all = "[...document.querySelectorAll(\"button\")]"
                let isOver = "\(all).find(one => one.textContent === \"Do the next step\").disabled"
                #expect(try await page.value(isOver).isTrue)
            }
        }

        @Test func `the keyboard is sufficient, and the phone's address leads to the bench`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "#bench")
                try await page.wait(for: "document.querySelector(\"#bench button\")")
                #expect(try await page.value("location.pathname") == "/bench.html")
                try await page.press("Tab")
                try await page.press("Enter")
                try await page.waitForPhones()
                try await page.run("document.querySelector(\"[aria-label='alice: whom to call']\").focus();")
                try await page.type("bob")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\"[aria-label='bob: accept A']\")")
                try await page.run("document.querySelector(\"[aria-label='bob: accept A']\").focus();")
                try await page.press("Enter")
                try await page.waitToSee("alice: bob; bob: alice; carol: ")
            }
        }

        @Test func `where accounts have passwords the bench asks for them`() async throws {
            try await BrowserTestEnvironment.set(settings: ["auth": ["mode": "accounts"]]) { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "bench.html")
                try await page.wait(for: "document.querySelector(\"#bench button\")")
                try await page.click("#bench .primary")
                try await page.wait(for: "document.querySelectorAll(\"[name=password]\").length === 3")
                try await page.wait(for: "document.querySelector(\"[role=status]\").textContent.length > 10")
            }
        }

        /// Runs a saved scenario by the command line, at a hub of its own.
        private func expectToPass(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let folder = try TemporaryFolder()
            let patient = text.replacing("\nparties ", with: "\npatience 20 s\nparties ")
            let file = try folder.write(patient, to: "bench.scenario")
            let run = try Program(["scenario", "run", file], in: folder, withErrors: true)
            #expect(await run.exitCode() == 0, "\(text)\n\(run.printed)", sourceLocation: sourceLocation)
        }
    }
}

extension ChromiumPage {
    /// Opens the bench with its first three phones.
    func openTesterBench(_ url: String) async throws {
        try await open(url + "bench.html")
        try await wait(for: "document.querySelector(\"#bench .primary\")")
        try await click("#bench .primary")
        try await waitForPhones()
    }

    fileprivate func waitForPhones() async throws {
        try await wait(for: "document.querySelectorAll(\"[aria-label$='whom to call']\").length === 3")
        try await wait(
            for: "[...document.querySelectorAll(\".phone small.grow\")].every(one => one.textContent === \"online\")"
        )
    }

    /// Presses the button of a line, as soon as it is there.
    func pressButton(_ line: String) async throws {
        let selector = "button[aria-label=\"\(line)\"]"
        try await wait(for: "document.querySelector(selector)", ["selector": .string(selector)])
        try await click(selector)
    }

    /// Fills the field with a label, and sends its form.
    func fill(_ label: String, _ text: String) async throws {
        let selector = "input[aria-label=\"\(label)\"]"
        try await wait(for: "document.querySelector(selector)", ["selector": .string(selector)])
        try await run(
            """
            const field = document.querySelector(selector);
            field.value = text;
            field.form.requestSubmit();
            """,
            ["selector": .string(selector), "text": .string(text)]
        )
    }

    func dial(_ name: String, on phone: String) async throws { try await fill("\(phone): whom to call", name) }

    fileprivate func choose(_ value: String, of label: String) async throws {
        try await run(
            """
            const select = document.querySelector(`select[aria-label="${label}"]`);
            select.value = value;
            select.dispatchEvent(new Event("change"));
            """,
            ["label": .string(label), "value": .string(value)]
        )
    }

    fileprivate func openSwitches() async throws {
        try await run("document.querySelectorAll(\"details\").forEach(one => one.open = true);")
    }

    /// Waits until the matrix has shown for half a second who hears whom: `alice: bob carol; bob: `.
    func waitToSee(_ matrix: String) async throws {
        let shown = """
            (() => {
                const names = [...document.querySelectorAll(".matrix thead th")].slice(1).map(one => one.textContent);
                const shown = [...document.querySelectorAll(".matrix tbody tr")].map(row =>
                    `${row.cells[0].textContent}: ${names.filter((_, index) => row.cells[index + 1].textContent).join(" ")}`
                ).join("; ");
                const now = performance.now();
                if (shown !== globalThis.lastMatrix) [globalThis.lastMatrix, globalThis.matrixSince] = [shown, now];
                globalThis.matrixAskedAt ??= now;
                const isIt = shown === matrix && now - Math.max(matrixSince, matrixAskedAt) > 700;
                if (isIt) globalThis.matrixAskedAt = null;
                return isIt;
            })()
            """
        do {
            try await wait(for: shown, ["matrix": .string(matrix)])
        } catch {
            let last = try await value("lastMatrix").text ?? ""
            throw BrowserError("not \(matrix) but \(last): \(error)")
        }
    }

    /// Saves the story as a file, and returns the file's text.
    fileprivate func saveScenario() async throws -> String {
        try await run(
            """
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
                globalThis.saved = blob.text();
                URL.createObjectURL = make;
                return make.call(URL, blob);
            };
            [...document.querySelectorAll("button")].find(one => one.textContent === "Save as scenario").click();
            """
        )
        return try await value("saved").text ?? ""
    }

    /// Opens a scenario file.
    fileprivate func choose(scenario text: String) async throws {
        try await run(
            """
            const files = new DataTransfer();
            files.items.add(new File([text], "a.scenario"));
            const field = document.querySelector("input[type=file]");
            field.files = files.files;
            field.dispatchEvent(new Event("change"));
            """,
            ["text": .string(text)]
        )
        try await wait(for: "document.querySelector(\"[aria-label='Steps of the file']\")")
    }

    /// Presses the button with a text as soon as it can be pressed.
    fileprivate func pressButton(text: String) async throws {
        let buttons = "[...document.querySelectorAll(\"button\")]"
        let button = "\(buttons).find(one => one.textContent === \"\(text)\" && !one.disabled)"
        try await wait(for: button)
        try await run("\(button).click();")
    }

    /// Opens a scenario file and runs it.
    fileprivate func openScenario(_ text: String) async throws {
        try await choose(scenario: text)
        let run = "[...document.querySelectorAll(\"button\")].find(one => one.textContent === \"Run\" && !one.disabled)"
        try await wait(for: run)
        try await wait(
            for:
                "[...document.querySelectorAll(\".phone small.grow\")].every(one => one.textContent.startsWith(\"online\"))"
        )
        try await self.run("\(run).click();")
    }
}
