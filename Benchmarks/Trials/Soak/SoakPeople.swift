import BenchmarkSupport
import HubClient
import HubTestSupport

/// All devices of a soak.
struct SoakPeople {
    /// What they count together.
    let ledger = SoakLedger()
    /// How they talk.
    let voices: SoakVoices
    /// One by one.
    let devices: [SoakDevice]
    private let gate = SoakGate()

    /// Devices that share the accounts, so that most people have several; each has a network of its own.
    init(_ options: TrialOptions, port: Int) throws(BenchmarkError) {
        let accounts = min(options["--accounts"], options["--devices"])
        voices = SoakVoices(ledger)
        var devices: [SoakDevice] = []
        for number in 0..<options["--devices"] {
            let link: FaultyLink
            do { link = try FaultyLink(to: port) } catch { throw BenchmarkError("a network for a device: \(error)") }
            devices.append(
                SoakDevice(
                    number: number,
                    account: number % accounts,
                    accounts: accounts,
                    habits: SoakHabits(options),
                    seed: UInt64(options["--seed"]) &* 1_000_003 &+ UInt64(number),
                    link: link,
                    ledger: ledger,
                    voices: voices
                )
            )
        }
        self.devices = devices
    }

    /// Sets everybody going; they wait until they are active.
    func begin() {
        for device in devices { Task { [gate] in await device.live(gate) } }
    }

    /// Whether everybody does things.
    func setActive(_ isActive: Bool) {
        voices.setTalking(isActive)
        gate.set(isOpen: isActive)
    }

    /// Waits until everybody has finished what he was doing, and every network is whole.
    ///
    /// - Returns: The devices that did not come to rest in time.
    func rest() async -> [SoakDevice] {
        setActive(false)
        for device in devices { device.link.comeBack() }
        for _ in 0..<600 {
            if gate.waiting == devices.count { return [] }
            await pause(milliseconds: 50)
        }
        var restless: [SoakDevice] = []
        for device in devices where await !device.isWaiting { restless.append(device) }
        return restless
    }

    /// Ends everybody's life.
    func end() {
        voices.end()
        gate.set(isOpen: true, isOver: true)
    }
}

/// What a soak's devices are like.
struct SoakHabits {
    /// Of a hundred deeds, how many are faults.
    var faults: Int
    /// The mean time between two deeds.
    var milliseconds: Int

    /// As the command line says.
    init(_ options: TrialOptions) {
        faults = options["--faults"]
        milliseconds = options["--pace"]
    }
}
