import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The library in `Benchmarks/AllocationCounter`, if this process was started with it.
enum AllocationCounter {
    private typealias Count = @convention(c) () -> UInt64
    private static let count: Count? = dlsym(nil, "callhub_allocations").map { unsafeBitCast($0, to: Count.self) }

    /// The name of the measurements in the report.
    static let figures = "operations"

    /// The part of the report that is read.
    private struct Output: Decodable {
        var figures: [String: [Measurement]]
    }

    /// Calls of the allocator so far; 0 without the library.
    static var allocations: UInt64 { count?() ?? 0 }

    /// Measures once more in a process that has the library; nil if there is no library.
    ///
    /// The times measured in this process are thus free of the cost of counting.
    static func measure(_ options: Options) throws(BenchmarkError) -> [Measurement]? {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let library = folder.appending(path: "libcallhub-allocations.so").path
        guard access(library, R_OK) == 0 else { return nil }
        let standing = options.standing.map(String.init).joined(separator: ",")
        let arguments = "--raw --json - --slices 1 --standing \(standing)"
        let command = "LD_PRELOAD='\(library)' exec /proc/\(getpid())/exe \(arguments)"
        guard let child = popen(command, "r") else { throw .system("popen") }
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let length = fread(&buffer, 1, buffer.count, child), length > 0 { output += buffer[..<length] }
        guard pclose(child) == 0, let output = try? JSONDecoder().decode(Output.self, from: output),
            let measurements = output.figures[figures]
        else {
            throw BenchmarkError("the allocations could not be counted")
        }
        return measurements
    }
}
