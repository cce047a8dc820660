/// A node of the accessibility tree, as a screen reader gets it.
public struct AccessibilityNode: Sendable, Equatable, CustomStringConvertible {
    /// The role, as `button`.
    public let role: String
    /// The accessible name; of a live region or a timer without one, the text inside.
    public let name: String
    /// The states and the properties of a live region, sorted, as `pressed=true`.
    public let states: [String]

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
                found.append(AccessibilityNode(role: role, name: name, states: states.sorted()))
            }
            children(of: node).forEach(visit)
        }
        nodes.filter { $0["parentId"] == .null }.forEach(visit)
        return found
    }

    private static func word(_ value: JSON) -> String { value.text ?? (value.isTrue ? "true" : "false") }
}
