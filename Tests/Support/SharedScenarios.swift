/// Scenarios that tests of several targets run.
public enum SharedScenarios {
    /// Two callers are swapped and merged, and one is dropped: twelve steps (docs/scenarios.md, its first example).
    public static let swapAndMerge = """
        scenario Carol swaps between two callers, merges them and drops one

        alice calls carol as A
        carol: accept A
        bob calls carol as B
        carol: hold and accept B
        expect bob hears carol
        carol: swap
        expect alice hears carol
        carol: swap
        carol: merge A with B
        expect alice hears bob and carol
        carol: end B
        expect alice hears carol
        """
}
