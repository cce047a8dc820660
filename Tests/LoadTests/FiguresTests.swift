import BenchmarkSupport
import Testing

@testable import BenchmarkClient
@testable import callhub_bench

/// Tests of the parts that turn measurements into figures.
struct FiguresTests {
    @Test func `percentiles are the nearest ranks`() {
        var samples = Samples()
        for microseconds in (1...1000).shuffled() {
            samples.add(nanoseconds: UInt64(microseconds) * 1000)
        }
        #expect(samples.percentiles() == Percentiles(p50: 500, p90: 900, p99: 990, p999: 999, max: 1000))
    }

    @Test func `percentiles of one value and of none are defined`() {
        var samples = Samples()
        #expect(samples.percentiles() == Percentiles(p50: 0, p90: 0, p99: 0, p999: 0, max: 0))
        samples.add(nanoseconds: 2500)
        #expect(samples.percentiles() == Percentiles(p50: 2.5, p90: 2.5, p99: 2.5, p999: 2.5, max: 2.5))
    }

    @Test func `the median is the middle value`() {
        #expect(median([]) == 0)
        #expect(median([3, 1, 9]) == 3)
        #expect(median([4, 1, 2, 9]) == 3)
    }

    @Test(arguments: [
        ("127.0.0.1:34567\n", "127.0.0.1", 34567),
        ("07:34:44 info listening address=0.0.0.0:8080 url=x\n", "127.0.0.1", 8080),
        ("{\"listen\":\"127.0.0.1:0\"}\nlistening on ws://localhost:9999/v1\n", "127.0.0.1", 9999),
    ])
    func `the listening address is found in any output`(output: String, host: String, port: UInt16) {
        #expect(ListeningAddress.first(in: output) == ListeningAddress(host: host, port: port))
    }

    @Test(arguments: ["", "127.0.0.1:345", "at 07:34:44\n", "127.0.0.1:0\n", "127.0.0.1:99999\n"])
    func `output without an address gives none`(output: String) {
        #expect(ListeningAddress.first(in: output) == nil)
    }

    @Test(arguments: [(0.0, 2, "0.00"), (12.345, 1, "12.3"), (1.05, 2, "1.05"), (-0.004, 2, "0.00"), (-3.0, 0, "-3")])
    func `numbers have the right number of decimals`(value: Double, decimals: Int, text: String) {
        #expect(fixed(value, decimals) == text)
    }

    @Test func `columns are aligned`() {
        let table = Table(lines: [["calls", "program", "x"], ["50", "hub", "1.25"]])
        #expect(table.text == "calls  program     x\n   50  hub      1.25\n")
    }

    @Test func `a target without a measurement is not met`() {
        #expect(!Check(name: "", value: nil, limit: 1).isMet)
        #expect(Check(name: "", value: 1, limit: 1).isMet)
        #expect(!Check(name: "", value: 1.1, limit: 1).isMet)
        #expect(!Check(name: "", value: 0.9, limit: 1, isLowest: true).isMet)
        #expect(Check(name: "", value: 1.1, limit: 1, isLowest: true).isMet)
    }

    @Test(arguments: [
        ["--calls"], ["--calls", "8001"], ["--calls", "5,,6"], ["--calls", "5@51"], ["--rate", "0"], ["--what"],
        ["--programs", "x"],
    ])
    func `an invalid option is refused`(arguments: [String]) {
        #expect(throws: BenchmarkError.self) { try BenchmarkCommandLine<Options>(arguments) }
    }

    @Test func `options are parsed`() throws {
        let line = try BenchmarkCommandLine<Options>([
            "--calls", "5,6@10", "--programs", "bare-relay,ws", "--hub-argument", "--x", "--check",
        ])
        let options = line.options
        #expect(options.loads.map(\.text) == ["5@50", "6@10"])
        #expect(options.programs == ["bare-relay", "ws"])
        #expect(options.hubArguments == ["--x"])
        #expect(line.isChecking)
    }

    @Test func `the default rate applies to loads without one, wherever it stands`() throws {
        let line = try BenchmarkCommandLine<Options>(["--calls", "5,6@10", "--rate", "20"])
        #expect(line.options.loads.map(\.text) == ["5@20", "6@10"])
    }
}
