import BenchmarkSupport

/// What the command line asks for.
struct Options: BenchmarkOptions {
    /// The loads, one measurement each.
    var loads = [50, 250, 500].map { Load(calls: $0, packetsPerSecond: 50) }
    /// How many pairs set calls up and end them at the same time; 0 leaves that measurement out.
    var pairs = 100
    /// How long each slice is measured.
    var seconds = 5
    /// How many slices each program gets, in turns.
    var slices = 3
    /// The programs that take turns, by their names.
    var programs = Subject.names
    /// The hub.
    var hub: String
    /// Arguments to the hub besides `serve --listen 127.0.0.1:0`.
    var hubArguments: [String] = []
    /// Where the bare relays lie.
    var folder: String
    /// Where the relays that are scripts lie.
    var competitors = "Benchmarks/Competitors"
    /// The Python that has `websockets`.
    var python = ".build/venv/bin/python"
    /// Node.
    var node = "/usr/bin/node"
    /// The library that counts allocations.
    var counter: String
    /// Where the JSON goes; "-" is standard output, in place of the table.
    var json: String?
    /// Whether a missed threshold makes the exit code 1.
    var isChecking = false
    /// Whether system calls are counted too.
    var countsSystemCalls = false
    /// Whether the latency at half of the most load is measured.
    var measuresHalfLoad = false
    /// Whether only the help was asked for.
    var wantsHelp = false

    /// The defaults: the programs lie beside the benchmark.
    init() {
        folder = programFolder()
        hub = folder + "/callhub"
        counter = folder + "/libcallhub-allocations.so"
    }

    /// Reads the arguments, the program's name left out.
    init(_ arguments: [String]) throws(BenchmarkError) {
        self.init()
        var usual = 50
        var loads: String?
        var words = OptionWords(arguments)
        while let name = words.next() {
            switch name {
            case "--calls": loads = try words.value()
            case "--rate": usual = try number(try words.value(), name, 1...50)
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
            case "--json": json = try words.value()
            case "--check": isChecking = true
            case "--system-calls": countsSystemCalls = true
            case "--half-load": measuresHalfLoad = true
            case "-h", "--help": wantsHelp = true
            default: throw BenchmarkError("\(name) is not an option; see --help")
            }
        }
        self.loads = try self.loads(loads ?? "50,250,500", usual)
    }

    /// Loads, or 0 for none: then nothing is relayed.
    private func loads(_ text: String, _ usual: Int) throws(BenchmarkError) -> [Load] {
        var loads: [Load] = []
        guard text != "0" else { return loads }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            loads.append(try Load(String(part), "--calls", usual: usual))
        }
        return loads
    }

    private func names(_ text: String, _ option: String) throws(BenchmarkError) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for name in names where !Subject.names.contains(name) {
            let known = Subject.names.joined(separator: ", ")
            throw BenchmarkError("\(option) names \"\(name)\"; there are \(known)")
        }
        return names
    }
}
