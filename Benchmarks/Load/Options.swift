import BenchmarkSupport
import FoundationEssentials
import Glibc

/// What the command line asks for.
struct Options {
    /// How many calls at once, one measurement each.
    var calls = [50, 250, 500]
    /// How many pairs set calls up and end them at the same time; 0 leaves that measurement out.
    var pairs = 100
    /// How long each slice is measured.
    var seconds = 5
    /// How many slices each program gets, in turns.
    var slices = 3
    /// The hub; nil leaves it out.
    var hub: String?
    /// Arguments to the hub besides `serve --listen 127.0.0.1:0`.
    var hubArguments: [String] = []
    /// The yardstick; nil leaves it out.
    var relay: String?
    /// The library that counts allocations.
    var counter: String
    /// Where the JSON goes; "-" is standard output, in place of the table.
    var json: String?
    /// Whether a missed threshold makes the exit code 1.
    var isChecking = false
    /// The most CPU time a packet the hub may take, as a multiple of the yardstick's.
    var maximumRatio = 1.3
    /// Whether system calls are counted too.
    var countsSystemCalls = false
    /// Whether only the help was asked for.
    var wantsHelp = false

    /// The defaults: the programs lie beside the benchmark.
    init() {
        let folder = URL(filePath: realPath("/proc/self/exe")).deletingLastPathComponent()
        hub = folder.appending(path: "callhub").path
        relay = folder.appending(path: "bare-relay").path
        counter = folder.appending(path: "libcallhub-allocations.so").path
    }

    /// Reads the arguments, the program's name left out.
    init(_ arguments: [String]) throws(BenchmarkError) {
        self.init()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            /// The word after the option.
            func value() throws(BenchmarkError) -> String {
                guard let value = rest.popFirst() else {
                    throw BenchmarkError("\(name) wants a value; see --help")
                }
                return value
            }
            switch name {
            case "--calls": calls = try calls(try value(), name)
            case "--pairs": pairs = try number(try value(), name, 0...2000)
            case "--seconds": seconds = try number(try value(), name, 1...600)
            case "--slices": slices = try number(try value(), name, 1...100)
            case "--hub-binary": hub = try value()
            case "--hub-argument": hubArguments.append(try value())
            case "--relay-binary": relay = try value()
            case "--counter": counter = try value()
            case "--only": try leaveOut(try value())
            case "--json": json = try value()
            case "--check": isChecking = true
            case "--max-ratio": maximumRatio = try ratio(try value())
            case "--strace": countsSystemCalls = true
            case "-h", "--help": wantsHelp = true
            default: throw BenchmarkError("\(name) is not an option; see --help")
            }
        }
    }

    /// Numbers of calls, or 0 for none: then nothing is relayed.
    private func calls(_ text: String, _ name: String) throws(BenchmarkError) -> [Int] {
        text == "0" ? [] : try numbers(text, name, 1...5000)
    }

    private mutating func leaveOut(_ word: String) throws(BenchmarkError) {
        switch word {
        case "hub": relay = nil
        case "relay": hub = nil
        default: throw BenchmarkError("--only is \"\(word)\"; it must be hub or relay")
        }
    }
}

private func ratio(_ text: String) throws(BenchmarkError) -> Double {
    guard let ratio = Double(text), ratio > 0, ratio.isFinite else {
        throw BenchmarkError("--max-ratio is \"\(text)\"; it must be a number above 0, such as 1.3")
    }
    return ratio
}

/// The path with its links followed.
private func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else {
        return path
    }
    defer { free(resolved) }
    return String(cString: resolved)
}
