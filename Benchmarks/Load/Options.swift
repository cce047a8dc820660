import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The loads, one measurement each.
    private(set) var loads: [Load] = []
    private var loadList = "50,250,500"
    /// The packets that each client sends in a second where a load does not say so, 1 to 50.
    private var usualRate = 50
    /// The number of pairs that set calls up and end them at the same time, 0 to 2000; 0 leaves that measurement out.
    var pairs = 100
    /// The measured time of each slice, in seconds, 1 to 600.
    var seconds = 5
    /// The number of slices of each program, in turns, 1 to 100.
    var slices = 3
    /// The names of the programs that take turns.
    var programs = ProgramUnderTest.names
    /// The path of the hub.
    var hub: String
    /// Arguments to the hub besides `serve --listen 127.0.0.1:0`.
    var hubArguments: [String] = []
    /// The folder of the bare relays.
    var folder: String
    /// The folder of the relays that are scripts.
    var competitors = "Benchmarks/Competitors"
    /// The path of a Python that has `websockets`.
    var python = ".build/venv/bin/python"
    /// The path of Node.
    var node = "/usr/bin/node"
    /// The path of the library that counts allocations.
    var counter: String
    /// Indicates that system calls are counted too.
    var countsSystemCalls = false
    /// Indicates that the latency at half the highest load is measured.
    var measuresHalfLoad = false

    /// The defaults: the programs are in the benchmark's own folder.
    init() {
        folder = programFolder()
        hub = folder + "/callhub"
        counter = folder + "/libcallhub-allocations.so"
    }

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--calls": loadList = try words.value()
        case "--rate": usualRate = try number(try words.value(), name, 1...50)
        case "--pairs": pairs = try number(try words.value(), name, 0...2000)
        case "--seconds": seconds = try number(try words.value(), name, 1...600)
        case "--slices": slices = try number(try words.value(), name, 1...100)
        case "--programs": programs = try names(try words.value(), name)
        case "--hub-binary": hub = try words.value()
        case "--hub-argument": hubArguments.append(try words.value())
        case "--competitors": competitors = try words.value()
        case "--python": python = try words.value()
        case "--node": node = try words.value()
        case "--counter": counter = try words.value()
        case "--system-calls": countsSystemCalls = true
        case "--half-load": measuresHalfLoad = true
        default: return false
        }
        return true
    }

    /// Reads the list of loads, to which a rate behind it applies, too; 0 is an empty list, which leaves relaying out.
    mutating func finish() throws(BenchmarkError) {
        loads = []
        guard loadList != "0" else { return }
        for part in loadList.split(separator: ",", omittingEmptySubsequences: false) {
            loads.append(try Load(String(part), "--calls", usual: usualRate))
        }
    }

    private func names(_ text: String, _ option: String) throws(BenchmarkError) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for name in names where !ProgramUnderTest.names.contains(name) {
            let known = ProgramUnderTest.names.joined(separator: ", ")
            throw BenchmarkError("\(option) names \"\(name)\"; there are \(known)")
        }
        return names
    }
}
