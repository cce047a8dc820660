import BenchmarkSupport
import HubClient
import HubTestSupport

/// All devices of a soak.
struct SoakDevicePool {
    /// The counts of all devices.
    let counters = SoakCounters()
    /// The thread that sends all devices' audio.
    let audioSender: SoakAudioSender
    /// The devices, in the order of their numbers.
    let devices: [SoakDevice]
    private let gate = SoakGate()

    /// Devices distributed over the accounts, so that most accounts have several; each has a network of its own.
    init(_ options: TrialOptions, port: Int) throws(BenchmarkError) {
        let accounts = min(options["--accounts"], options["--devices"])
        audioSender = SoakAudioSender(counters)
        var devices: [SoakDevice] = []
        for number in 0..<options["--devices"] {
            let link: FaultyLink
            do { link = try FaultyLink(to: port) } catch { throw BenchmarkError("a network for a device: \(error)") }
            devices.append(
                SoakDevice(
                    number: number,
                    account: number % accounts,
                    accounts: accounts,
                    settings: SoakDeviceSettings(options),
                    seed: UInt64(options["--seed"]) &* 1_000_003 &+ UInt64(number),
                    link: link,
                    counters: counters,
                    audioSender: audioSender
                )
            )
        }
        self.devices = devices
    }

    /// Starts all devices, which wait until `setActive`.
    func begin() {
        for device in devices { Task { [gate] in await device.runLoad(gate) } }
    }

    /// Starts or stops actions and audio.
    func setActive(_ isActive: Bool) {
        audioSender.setSending(isActive)
        gate.set(isOpen: isActive)
    }

    /// Waits until all devices have finished their actions, and repairs all networks.
    ///
    /// - Returns: The devices that did not come to rest in time.
    func rest() async -> [SoakDevice] {
        setActive(false)
        for device in devices { device.link.restore() }
        for _ in 0..<600 {
            if gate.waiting == devices.count { return [] }
            await pause(milliseconds: 50)
        }
        var unsettled: [SoakDevice] = []
        for device in devices where await !device.isWaiting { unsettled.append(device) }
        return unsettled
    }

    /// Ends the audio and all devices.
    func end() {
        audioSender.end()
        gate.set(isOpen: true, isOver: true)
    }
}

/// The settings of a soak's devices.
struct SoakDeviceSettings {
    /// The share of faults among all actions, in percent.
    var faults: Int
    /// The mean time between two actions.
    var milliseconds: Int

    /// The settings of the command line.
    init(_ options: TrialOptions) {
        faults = options["--faults"]
        milliseconds = options["--pace"]
    }
}
