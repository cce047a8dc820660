// Built as usual, this program replays files: every input that was ever of interest, in seconds, without a fuzzer.
// Built with FUZZING (`make fuzz`) it is libFuzzer on one subject, named by HUB_FUZZ_SUBJECT.

#if FUZZING
import CFuzzer
import Foundation

private nonisolated(unsafe) var subject = Subject.jsonRPC

/// The program's entry: SwiftPM renames an executable's `main` to this, and links a `main` that calls it.
@_cdecl("HubFuzz_main")
public func fuzzMain(_ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    let name = ProcessInfo.processInfo.environment["HUB_FUZZ_SUBJECT"] ?? ""
    guard let chosen = Subject(rawValue: name) else {
        print("HUB_FUZZ_SUBJECT is \"\(name)\"; it must be one of \(Subject.allCases.map(\.rawValue))")
        return 2
    }
    subject = chosen
    var (argc, argv) = (argc, argv)
    return LLVMFuzzerRunDriver(&argc, &argv) { data, size in
        subject.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    }
}
#else
import Foundation

/// Runs each subject on all files in the folders of `Corpus` and `FailCases` that are named after it.
///
/// With `--verbose` it names each file first, so that a trap has its file above it.
@main struct Replay {
    static func main() throws {
        let isVerbose = CommandLine.arguments.contains("--verbose")
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        for subject in Subject.allCases {
            var count = 0
            for kind in ["Corpus", "FailCases"] {
                let folder = here.appending(path: kind).appending(path: subject.rawValue)
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                    if isVerbose { FileHandle.standardError.write(Data("\(kind)/\(subject.rawValue)/\(name)\n".utf8)) }
                    subject.run(Array(try Data(contentsOf: folder.appending(path: name))))
                    count += 1
                }
            }
            print("\(subject.rawValue): \(count) inputs hold")
        }
    }
}
#endif
