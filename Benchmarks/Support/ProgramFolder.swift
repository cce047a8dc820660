import Glibc

/// The folder of the running program, without a slash at its end: those it measures are built beside it.
package func programFolder() -> String {
    guard let resolved = realpath("/proc/self/exe", nil) else {
        return "."
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
}
