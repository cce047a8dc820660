import Foundation
import QRCode

extension Terminal {
    /// Indicates that standard output is a terminal.
    package static var isOutput: Bool { Console.isTerminal(STDOUT_FILENO) }

    /// The number of columns of the terminal on standard output; nil: there is none, or it does not say.
    package static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Draws a text as a QR code for standard output, to be printed below the text itself.
    ///
    /// - Parameters:
    ///   - text: The text, such as a link.
    ///   - isForced: True to draw it although standard output is no terminal.
    /// - Returns: The lines; empty if there is no terminal, it is too narrow, or no code holds the text.
    package static func qrCode(_ text: String, isForced: Bool = false) -> String {
        guard isOutput || isForced, let code = QRCode(text), code.terminalColumns <= columns ?? .max else { return "" }
        return code.terminalText(isColoured: hasColours)
    }
}
