import Glibc

/// Returns the folder of the running program, without a slash at its end: the programs measured are built into it, too.
package func programFolder() -> String {
    guard let resolved = realpath("/proc/self/exe", nil) else {
        return "."
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
}
