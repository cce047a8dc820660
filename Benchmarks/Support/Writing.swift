import FoundationEssentials

/// Prints the table, and writes all figures to the file at `path` as JSON.
///
/// A `path` of "-" is standard output, in place of the table.
package func write(_ report: some Encodable, text: String, to path: String?) throws(BenchmarkError) {
    if path == "-" {
        print(try json(report), terminator: "")
        return
    }
    print(text, terminator: "")
    guard let path else {
        return
    }
    do {
        try Data(try json(report).utf8).write(to: URL(filePath: path))
    } catch {
        throw BenchmarkError("\(path) cannot be written: \(error)")
    }
}

/// Returns the report as JSON, indented, its members sorted.
private func json(_ report: some Encodable) throws(BenchmarkError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.dateEncodingStrategy = .iso8601
    do {
        return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
    } catch {
        throw BenchmarkError("the report cannot be written as JSON: \(error)")
    }
}
