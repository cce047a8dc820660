extension LadderSVG {
    /// The number of distinct colours of voices.
    static let colours = 14

    /// The style sheet of ladders, without CSS variables, since many SVG programs do not support them.
    static let style = light + "@media screen and (prefers-color-scheme: dark) {\n\(dark)}\n"

    /// The colours of voices, distinct in hue and in lightness; red is reserved for failures.
    private static let voices = [
        "#2f7de1", "#f08a1c", "#27a567", "#b657d6", "#12a8b8", "#d9569b", "#a06a35", "#7c68ee", "#a8b820", "#5b7287",
        "#f2b705", "#7fbdf5", "#1c6e50", "#8c2f6b",
    ]

    private static let light = """
        .ladder{font-family:\(TextMeasure.family);font-size:11px;print-color-adjust:exact}
        .ladder text{fill:#1f2933}
        .ladder .paper,.ladder .hatch-ground{fill:#fff}
        .ladder .title{font-size:18px;font-weight:bold}
        .ladder .heading,.ladder .failureTitle{font-size:12px;font-weight:bold}
        .ladder .verdict{fill:#fff;font-weight:bold}
        .ladder .facts,.ladder .legend{fill:#52606d}
        .ladder .time,.ladder .quiet,.ladder .note{font-size:10px;fill:#7b8794}
        .ladder .quiet{font-style:italic}
        .ladder .call{font-size:9px;font-weight:bold;fill:#2d4a6e}
        .ladder .message.reply{fill:#7b8794}
        .ladder .message.refusal,.ladder .step.failed,.ladder .failureTitle{fill:#c62828}
        .ladder .message.connection{fill:#8a5a00;font-style:italic}
        .ladder path{fill:none}
        .ladder .rule{stroke:#edf0f3}
        .ladder .rule.failed{stroke:#f3b4b4}
        .ladder .line{stroke:#b8c2cc}
        .ladder .hub{fill:#52606d}
        .ladder .shaft{stroke:#3e4c59}
        .ladder .head{fill:#3e4c59}
        .ladder .notification .shaft{stroke:#9aa5b1}
        .ladder .notification .head{fill:#616e7c}
        .ladder .reply .shaft{stroke:#b8c2cc;stroke-dasharray:4 3}
        .ladder .reply .head{fill:#9aa5b1}
        .ladder .refusal .shaft{stroke:#d64545}
        .ladder .refusal .head{fill:#d64545}
        .ladder .connection .shaft{stroke:#d9a441;stroke-dasharray:1 3}
        .ladder .mark{fill:#f0b429;stroke:#8a5a00}
        .ladder .open{fill:#c3d8f2;stroke:#5f8cc0}
        .ladder .held{stroke:#9aa5b1}
        .ladder .hatch-line{stroke:#9aa5b1;stroke-width:1.2}
        .ladder .ground{fill:#c3d8f2}
        .ladder .ground.held-call{fill:#fff}
        .ladder .music{fill:#8d99a6}
        .ladder .tone{fill:#c9a27e}
        .ladder .fold-edge{stroke:#b8c2cc;stroke-width:7}
        .ladder .fold{stroke:#fff;stroke-width:5}
        .ladder .name{fill:#f0f3f6;stroke:#cbd2d9}
        .ladder .hub-name{fill:#d9dfe5;stroke:#b8c2cc}
        .ladder .failure{fill:#fdecec;stroke:#d64545}
        .ladder .cross{stroke:#c62828;stroke-width:2}
        .ladder .tick{stroke:#2f9e5f;stroke-width:1.6}
        .ladder .passed{fill:#2b8a55}
        .ladder .pill.failed{fill:#c62828}
        .ladder .skipped{fill:#7b8794}
        \(voices.enumerated().map { ".ladder .v\($0){fill:\($1)}" }.joined(separator: "\n"))

        """

    private static let dark = """
        .ladder text{fill:#e4e8ec}
        .ladder .paper,.ladder .hatch-ground{fill:#15191e}
        .ladder .verdict{fill:#fff}
        .ladder .facts,.ladder .legend{fill:#a5b0bb}
        .ladder .time,.ladder .quiet,.ladder .note,.ladder .message.reply{fill:#8793a0}
        .ladder .call{fill:#dbe8f8}
        .ladder .message.refusal,.ladder .step.failed,.ladder .failureTitle{fill:#ff8080}
        .ladder .message.connection{fill:#f0c05a}
        .ladder .rule{stroke:#232930}
        .ladder .rule.failed{stroke:#6b2b2b}
        .ladder .line{stroke:#4a545f}
        .ladder .hub{fill:#8793a0}
        .ladder .shaft{stroke:#c3ccd5}
        .ladder .head{fill:#c3ccd5}
        .ladder .notification .shaft{stroke:#6c7884}
        .ladder .notification .head{fill:#a5b0bb}
        .ladder .reply .shaft{stroke:#56616c}
        .ladder .reply .head{fill:#6c7884}
        .ladder .refusal .shaft{stroke:#ff6b6b}
        .ladder .refusal .head{fill:#ff6b6b}
        .ladder .open{fill:#2c4a70;stroke:#6f9ad0}
        .ladder .held{stroke:#6c7884}
        .ladder .ground{fill:#2c4a70}
        .ladder .ground.held-call{fill:#15191e}
        .ladder .hatch-line{stroke:#6c7884}
        .ladder .fold-edge{stroke:#4a545f}
        .ladder .fold{stroke:#15191e}
        .ladder .name{fill:#22282f;stroke:#3c4650}
        .ladder .hub-name{fill:#343d46;stroke:#4a545f}
        .ladder .failure{fill:#331a1c;stroke:#ff6b6b}
        .ladder .cross{stroke:#ff6b6b}
        .ladder .tick{stroke:#4cc585}
        .ladder .v9{fill:#7f95aa}
        .ladder .v12{fill:#2f9e75}
        .ladder .v13{fill:#b5478d}

        """
}
