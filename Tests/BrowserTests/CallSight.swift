import BrowserKit
import Testing

extension ChromiumPage {
    /// Expects that a number of buttons can be pressed as the window shows them, in each of five sizes, that the name
    /// and the time of the active call are in sight, and that nothing overflows or takes room in vain.
    func expectInSight(_ selector: String, _ count: Int, _ state: String) async throws {
        try await wait(for: "document.querySelectorAll(`\(selector)`).length === \(count)")
        for (width, height) in [(320, 568), (844, 390), (390, 844), (768, 1024), (1440, 900)] {
            try await show(DisplaySettings(width: width, height: height))
            let faults = try await run(faultsOfCallScreen, ["selector": .string(selector)])
            #expect(faults == [], "\(state), \(width) x \(height)")
        }
    }
}

/// A script that returns in words what is wrong with the screen of calls, for the buttons of `selector`.
private let faultsOfCallScreen = """
    await new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)));
    const all = (selector) => [...document.querySelectorAll(selector)];
    const isSeen = (one, part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return [[.5, .1], [.5, .9], [.1, .5], [.9, .5]].every(([across, down]) =>
            one.contains(document.elementFromPoint(x + across * width, y + down * height)));
    };
    const covered = all(selector).filter(one => !one.disabled && !isSeen(one, one.querySelector(".disc") ?? one))
        .map(one => `covered: ${one.ariaLabel || one.innerText}`);
    const isRinging = document.querySelector(".incoming");
    const unseen = isRinging ? [] : all(".main-card :is(h2, [role=timer])").filter(one => !isSeen(one, one))
        .map(one => `unseen: ${one.innerText}`);
    // The party and the members of a group may scroll, and a long name is cut off.
    const mayScroll = (one) => one.matches(".clip, .members, .call-party, h2") || getComputedStyle(one).display === "inline";
    const overflowing = [document.documentElement, ...all(".incoming, .stage, .stage *")]
        .filter(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => clientWidth > 1
            && (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1))
        .filter(one => !mayScroll(one)).map(one => `overflows: ${one.tagName} ${one.className}`);
    // What is between End and the edge of the window is taken from the party.
    const boxes = all(".hang-up > *").map(one => one.getBoundingClientRect());
    const gap = innerHeight - Math.max(...boxes.map(({ bottom }) => bottom));
    const gaps = boxes.length > 0 && (gap < 0 || gap > 17) ? [`${gap} px below End`] : [];
    return [...covered, ...unseen, ...overflowing, ...gaps];
    """
