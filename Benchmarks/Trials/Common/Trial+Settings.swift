extension Trial {
    /// The trial's own options.
    var settings: [TrialSetting] {
        switch self {
        case .soak:
            [
                TrialSetting(name: "--minutes", value: 10, range: 1...10_080, help: "how long"),
                TrialSetting(name: "--accounts", value: 16, range: 2...1_000, help: "people"),
                TrialSetting(name: "--devices", value: 36, range: 2...3_000, help: "devices of all of them together"),
                TrialSetting(name: "--faults", value: 15, range: 0...100, help: "of 100 deeds, how many are faults"),
                TrialSetting(name: "--pace", value: 700, range: 10...60_000, help: "milliseconds between two deeds"),
                TrialSetting(name: "--interval", value: 30, range: 5...3_600, help: "seconds between two checks"),
                TrialSetting(name: "--seed", value: 1, range: 0...Int.max, help: "what chance is drawn from"),
            ]
        }
    }
}
