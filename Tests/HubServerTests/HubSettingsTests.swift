import HubEngine
import Testing

@testable import HubServer

/// The settings of a hub.
struct HubSettingsTests {
    // The generator of scenarios takes the engine's defaults for those of the hub that it does not link.
    @Test func `a hub's defaults are those of its engine`() {
        #expect(HubSettings().engine(seed: 1) == EngineConfiguration(seed: 1))
    }
}
