/// A key of the keyboard, as the protocol and pages name it.
public struct Key: Sendable, ExpressibleByStringLiteral {
    /// The value of `KeyboardEvent.key`.
    public let name: String

    /// Creates a key from the value of `KeyboardEvent.key`: `"a"`, `"Enter"`, `"Tab"`.
    ///
    /// - Parameter value: The key's name.
    public init(stringLiteral value: String) { name = value }

    /// The Windows virtual key code, which some handlers and the browser's default actions depend on.
    var code: Int {
        let named = [
            "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
            "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46, "Backspace": 8,
        ]
        return named[name] ?? Int(name.uppercased().unicodeScalars.first?.value ?? 0)
    }

    /// The text that the key types; empty for a key that types nothing.
    var typed: String { name.count == 1 ? name : name == "Enter" ? "\r" : "" }

    /// The key's position on the keyboard (`KeyboardEvent.code`).
    var physicalCode: String {
        guard name.count == 1, let letter = name.uppercased().first else { return name }
        if name == " " { return "Space" }
        return letter.isNumber ? "Digit\(letter)" : letter.isLetter ? "Key\(letter)" : name
    }
}

extension ChromiumPage {
    /// Presses and releases a key.
    ///
    /// - Parameters:
    ///   - key: The key to press.
    ///   - modifiers: The sum of the modifiers: 1 Alt, 2 Control, 4 Meta, 8 Shift.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    public func press(_ key: Key, modifiers: Int = 0) async throws {
        var event: [String: JSON] = [
            "key": .string(key.name), "code": .string(key.physicalCode), "modifiers": .number(Double(modifiers)),
            "windowsVirtualKeyCode": .number(Double(key.code)),
        ]
        let isTyped = !key.typed.isEmpty && modifiers & 7 == 0
        var down = event
        if isTyped { down["text"] = .string(key.typed) }
        down["type"] = .string(isTyped ? "keyDown" : "rawKeyDown")
        try await send("Input.dispatchKeyEvent", .object(down))
        event["type"] = "keyUp"
        try await send("Input.dispatchKeyEvent", .object(event))
    }

    /// Types a text, letter by letter.
    ///
    /// - Parameter text: A text of characters that a keyboard has.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    public func type(_ text: String) async throws {
        for letter in text { try await press(Key(stringLiteral: String(letter))) }
    }

    /// Clicks an element that leads to another page, and waits until that is loaded.
    ///
    /// - Parameter selector: A CSS selector; the first match is clicked.
    /// - Throws: ``BrowserError`` when no element matches, or no page is loaded within 30 s.
    public func clickThrough(_ selector: String) async throws {
        let load = monitor.next("Page.loadEventFired")
        try await click(selector)
        _ = try await load.value(within: 30, "the page behind \(selector)")
    }

    /// Clicks the centre of an element with the mouse, when it has been seen there.
    ///
    /// - Parameter selector: A CSS selector; the first match is clicked.
    /// - Throws: ``BrowserError`` when no element matches.
    public func click(_ selector: String) async throws {
        let physicalCode = try await run(
            """
            const element = document.querySelector(selector);
            if (!element) throw new Error("there is no " + selector);
            const { y } = element.getBoundingClientRect();
            element.scrollIntoView({ block: "center", behavior: "instant" });
            const box = element.getBoundingClientRect();
            // The phone refuses a click on an element that has just been scrolled there.
            if (box.y !== y) await new Promise((then) => setTimeout(then, 350));
            return [box.x + box.width / 2, box.y + box.height / 2];
            """,
            ["selector": .string(selector)]
        )
        for type in ["mousePressed", "mouseReleased"] {
            try await send(
                "Input.dispatchMouseEvent",
                ["type": .string(type), "x": physicalCode[0], "y": physicalCode[1], "button": "left", "clickCount": 1]
            )
        }
    }
}
