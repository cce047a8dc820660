extension ChromiumPage {
    /// Delivers a push message to the page's service worker and waits until the worker has handled it.
    ///
    /// Do not query notifications meanwhile: Chromium may drop one that it has not shown yet.
    ///
    /// - Parameter message: The decrypted payload of the push message.
    /// - Throws: ``BrowserError`` when there is no service worker.
    public func push(_ message: String) async throws {
        let registrations = monitor.next("ServiceWorker.workerRegistrationUpdated")
        try await send("ServiceWorker.enable")
        let update = try await registrations.value(within: 10, "the service worker's registration")
        let origin = try await run("await navigator.serviceWorker.ready; return location.origin;")
        let known = update["registrations"].elements.last { $0["scopeURL"].text?.hasPrefix(origin.text ?? "-") == true }
        guard let known else { throw BrowserError("there is no service worker") }
        try await send("ServiceWorker.startWorker", ["scopeURL": known["scopeURL"]])
        let worker = try await worker()
        try await evaluate(Self.pushObserverScript, in: worker)
        try await send(
            "ServiceWorker.deliverPushMessage",
            ["origin": origin, "registrationId": known["registrationId"], "data": .string(message)]
        )
        try await evaluate("pushed.promise", in: worker)
        try await send("ServiceWorker.disable")
    }

    /// Presses one of the page's notifications, as a user does.
    ///
    /// - Parameters:
    ///   - tag: The notification's tag.
    ///   - action: The action of the pressed button; empty: the notification itself.
    /// - Returns: The URL of the window that the service worker opens for it, which a script's press may not do; nil:
    ///   it opens none.
    /// - Throws: ``BrowserError`` when there is no such notification, or the worker fails.
    @discardableResult
    public func pressNotification(_ tag: String, action: String) async throws -> String? {
        let script = """
            self.registration.getNotifications({ tag: \(JSON.string(tag)) }).then(async ([notification]) => {
                if (!notification) throw new Error("there is no such notification");
                let opened = null, job = null;
                self.clients.openWindow = async (url) => { opened = new URL(url, self.location).href; };
                NotificationEvent.prototype.waitUntil = (task) => { job = task; };
                const init = { notification, action: \(JSON.string(action)) };
                self.dispatchEvent(new NotificationEvent("notificationclick", init));
                await job;
                return opened;
            })
            """
        return try await evaluate(script, in: worker()).text
    }

    /// A script that resolves the promise `pushed` when the worker has handled the next message.
    private static let pushObserverScript = """
        globalThis.pushed = Promise.withResolvers();
        PushEvent.prototype.waitUntil = function (job) {
            ExtendableEvent.prototype.waitUntil.call(this, job);
            job.finally(pushed.resolve);
        };
        """

    /// Attaches to the page's service worker and returns the session.
    private func worker() async throws -> String {
        let targets = try await browser.pipe.send("Target.getTargets")["targetInfos"].elements
        let worker = targets.first { $0["type"] == "service_worker" && $0["browserContextId"] == context }
        guard let worker else { throw BrowserError("there is no service worker") }
        let attached = try await browser.pipe.send(
            "Target.attachToTarget",
            ["targetId": worker["targetId"], "flatten": true]
        )
        return attached["sessionId"].text ?? ""
    }

    @discardableResult
    private func evaluate(_ script: String, in worker: String) async throws -> JSON {
        let answer = try await browser.pipe.send(
            "Runtime.evaluate",
            ["expression": .string(script), "awaitPromise": true, "returnByValue": true],
            session: worker
        )
        if let fault = answer["exceptionDetails"]["exception"]["description"].text { throw BrowserError(fault) }
        return answer["result"]["value"]
    }
}
