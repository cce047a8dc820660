import BrowserKit
import Foundation
import HubTestSupport

/// A seeded user of one page: it taps, types, resizes, reloads and loses its connection at random.
actor Monkey {
    nonisolated let name: String
    nonisolated let page: ChromiumPage
    private let link: FaultyLink
    private var random: MonkeyRandom
    /// The number of inputs until the connection is back; 0: it is there.
    private var inputsWithoutNetwork = 0
    private(set) var inputCount = 0
    /// The last inputs, which a person can repeat.
    private(set) var inputs: [String] = []
    /// The acts of the page's log so far.
    private(set) var acts: [JSON] = []
    private(set) var faults: [String] = []

    init(_ name: String, _ page: ChromiumPage, _ link: FaultyLink, seed: UInt64) {
        (self.name, self.page, self.link) = (name, page, link)
        random = MonkeyRandom(seed: seed)
    }

    /// Opens the phone, watched by the probe, and signs in.
    func begin() async throws {
        let probe = try String(contentsOfFile: BrowserTestEnvironment.testPages + "/monkey-probe.js", encoding: .utf8)
        try await page.runFirst(probe)
        try await page.send("Page.setInterceptFileChooserDialog", ["enabled": true])
        try await page.send("Emulation.setTouchEmulationEnabled", ["enabled": true])
        for words in ["WebSocket connection to", "net::ERR_", "Failed to fetch"] { page.ignoreErrors(words) }
        try await page.open("http://127.0.0.1:\(link.port)/")
        try await signIn()
    }

    /// Signs in, if the page asks for it.
    private func signIn() async throws {
        try await page.wait(for: "document.querySelector(\".shell, input[name=account]\")")
        guard try await page.value("document.querySelector(\".shell\")") == .null else { return }
        try await page.run("await (await import(\"/phone/hub.js\")).hub.signIn({ account: \"\(name)\" });")
        try await page.wait(for: "document.querySelector(\".shell\")")
    }

    /// Performs an input and judges what the page has done.
    func step() async throws {
        inputCount += 1
        do {
            try await note(perform(MonkeyInput.random(using: &random)))
            try await look()
        } catch let error as BrowserError where "\(error)".contains("context") || "\(error)".contains("monkey is not") {
            // The page has loaded itself anew.
            note("the page was loaded")
            try await page.wait(for: "globalThis.monkey && document.querySelector(\".shell, form\")")
        }
        if inputsWithoutNetwork > 0 {
            inputsWithoutNetwork -= 1
            if inputsWithoutNetwork == 0 { link.restore() }
        }
    }

    private func perform(_ input: MonkeyInput) async throws -> String {
        switch input {
        case .tap(let kind, let isTouch):
            let draw = Double.random(in: 0..<1, using: &random)
            let delay = Int.random(in: 0..<600, using: &random)
            let aim = try await page.value("monkey.aim(\"\(kind.rawValue)\", \(draw), \(delay))")
            try await (isTouch ? touch(aim["x"], aim["y"]) : click(aim["x"], aim["y"]))
            return "\(isTouch ? "touches" : "clicks") \(aim["x"]), \(aim["y"]): \(aim["meant"].text ?? "nothing"), "
                + "seen \(delay) ms before"
        case .type(let keys):
            for key in keys { try await page.press(key) }
            return "types \(keys.map(\.name).joined(separator: " "))"
        case .openTab(let number):
            try await page.press(Key(stringLiteral: String(number)), modifiers: 1)
            return "opens tab \(number) by Alt \(number)"
        case .resize(let width, let height):
            try await page.send(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1,
                    "mobile": false,
                ]
            )
            return "resizes the window to \(width) x \(height)"
        case .reload:
            // A page that cannot be loaded is the browser's own.
            link.restore()
            inputsWithoutNetwork = 0
            try await look()
            try await page.reload()
            try await page.wait(for: "document.querySelector(\".shell, input[name=account]\")")
            return "reloads"
        case .loseConnection(let inputs):
            link.refuse()
            link.reset()
            inputsWithoutNetwork = inputs
            return "has no connection for \(inputs) inputs"
        }
    }

    private func click(_ x: JSON, _ y: JSON) async throws {
        for type in ["mousePressed", "mouseReleased"] {
            try await page.send(
                "Input.dispatchMouseEvent",
                ["type": .string(type), "x": x, "y": y, "button": "left", "clickCount": 1]
            )
        }
    }

    private func touch(_ x: JSON, _ y: JSON) async throws {
        try await page.send(
            "Input.dispatchTouchEvent",
            ["type": "touchStart", "touchPoints": [["x": x, "y": y]]]
        )
        try await page.send("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": []])
    }

    private func look() async throws {
        let seen = try await page.value("monkey.take()")
        acts += seen["acts"].elements
        for act in seen["acts"].elements { note("    \(act)") }
        for fault in seen["faults"].elements { blame(fault.text ?? "\(fault)") }
    }

    private func note(_ input: String) {
        inputs.append(input)
        if inputs.count > 60 { inputs.removeFirst() }
    }

    private func blame(_ words: String) {
        faults.append("\(name), input \(inputCount): \(words)\n\(inputs.suffix(30).joined(separator: "\n"))")
    }

    /// Waits until the page, its screen and the hub agree on the calls; undoes what keeps calls away.
    func rest() async throws {
        link.restore()
        inputsWithoutNetwork = 0
        try await look()
        try await signIn()
        try await look()
        let online = "(await import(\"/phone/hub.js\")).hub.state === \"online\""
        try await page.wait(for: online, seconds: 30)
        do {
            try await page.wait(
                for: """
                    monkey.compare().then((all) => {
                        globalThis.compared = all;
                        return String(all.hub) === String(all.page) && String(all.cards) === String(all.shown)
                            && String(all.callers) === String(all.ringing);
                    })
                    """
            )
        } catch {
            blame("the calls differ: \(try await page.value("globalThis.compared ?? null")); \(error)")
        }
        // The calls that waited for the connection have been placed.
        try await look()
        try await page.run("await monkey.reopen();")
    }
}
