/// A node of the accessibility tree, as a screen reader gets it.
public struct AccessibilityNode: Sendable, Equatable, CustomStringConvertible {
    /// The role, as `button`.
    public let role: String
    /// The accessible name; of a live region or a timer without one, the text inside.
    public let name: String
    /// The states and the properties of a live region, sorted, as `pressed=true`.
    public let states: [String]
    /// The browser's number of the DOM node.
    let element: JSON

    /// The role, the name and the states in one line.
    public var description: String {
        ([role] + (name.isEmpty ? [] : ["\"\(name)\""]) + states).joined(separator: " ")
    }
}

extension ChromiumPage {
    private static let states: Set<String> = ["disabled", "pressed", "expanded", "checked", "modal", "live"]

    /// Roles without a meaning of their own.
    private static let layout: Set<String> = [
        "none", "generic", "StaticText", "InlineTextBox", "LineBreak", "ListMarker", "paragraph", "strong", "emphasis",
        "LabelText",
    ]

    /// Roles that are read with the text inside.
    private static let read: Set<String> = ["status", "alert", "timer"]

    /// Returns the nodes of the accessibility tree that mean something, in the order of reading.
    ///
    /// - Returns: Each node that is not ignored and is more than text.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    public func accessibilityTree() async throws -> [AccessibilityNode] {
        let nodes = try await send("Accessibility.getFullAXTree")["nodes"].elements
        let byID = Dictionary(nodes.map { ($0["nodeId"].text ?? "", $0) }) { $1 }
        var found: [AccessibilityNode] = []
        func text(_ node: JSON) -> String {
            if node["role"]["value"] == "StaticText" { return node["name"]["value"].text ?? "" }
            return children(of: node).map(text).joined()
        }
        func children(of node: JSON) -> [JSON] { node["childIds"].elements.compactMap { byID[$0.text ?? ""] } }
        func visit(_ node: JSON) {
            let role = node["role"]["value"].text ?? ""
            if !node["ignored"].isTrue && !Self.layout.contains(role) {
                let states = node["properties"].elements.filter { Self.states.contains($0["name"].text ?? "") }
                    .map { "\($0["name"].text ?? "")=\(Self.word($0["value"]["value"]))" }
                let name = Self.read.contains(role) ? text(node) : node["name"]["value"].text ?? ""
                found.append(
                    AccessibilityNode(
                        role: role,
                        name: name,
                        states: states.sorted(),
                        element: node["backendDOMNodeId"]
                    )
                )
            }
            children(of: node).forEach(visit)
        }
        nodes.filter { $0["parentId"] == .null }.forEach(visit)
        return found
    }

    /// Focuses and presses the first enabled node with a role and a name, as a screen reader does; waits until there is
    /// one.
    ///
    /// - Parameters:
    ///   - role: The role, as `button`.
    ///   - name: The whole accessible name.
    /// - Throws: ``BrowserError`` when there is none within 20 s.
    public func activate(_ role: String, _ name: String) async throws {
        let node = try await waitForNode("\(role) \"\(name)\"") {
            $0.role == role && $0.name == name && !$0.states.contains("disabled=true")
        }
        try await send("DOM.focus", ["backendNodeId": node.element])
        let object = try await send("DOM.resolveNode", ["backendNodeId": node.element])["object"]["objectId"]
        try await send(
            "Runtime.callFunctionOn",
            ["objectId": object, "functionDeclaration": "function () { this.click(); }", "userGesture": true]
        )
    }

    /// Waits until a live region says something.
    ///
    /// - Parameter text: A part of its text.
    /// - Throws: ``BrowserError`` when none says it within 20 s.
    public func waitToRead(_ text: String) async throws {
        _ = try await waitForNode("an announcement \"\(text)\"") {
            ["status", "alert"].contains($0.role) && $0.name.contains(text)
        }
    }

    private func waitForNode(
        _ words: String,
        where condition: (AccessibilityNode) -> Bool
    ) async throws -> AccessibilityNode {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            let tree = try await accessibilityTree()
            if let node = tree.first(where: condition) { return node }
            guard ContinuousClock.now < end else { throw BrowserError("there is no \(words) in \(tree)") }
            try await run("await new Promise(then => setTimeout(then, 50));")
        }
    }

    private static func word(_ value: JSON) -> String { value.text ?? (value.isTrue ? "true" : "false") }
}
