extension ChromiumPage {
    /// Gives the page's service worker a message, as the browser does when its push service has one, and waits until the
    /// worker has done with it.
    ///
    /// Who looks for a notification meanwhile may have Chromium forget it: what is not on the screen yet is no more, to it.
    ///
    /// - Parameter message: What the hub has encrypted.
    /// - Throws: ``BrowserError`` when there is no service worker.
    public func push(_ message: String) async throws {
        let registrations = watch.next("ServiceWorker.workerRegistrationUpdated")
        try await send("ServiceWorker.enable")
        let update = try await registrations.value(within: 10, "the service worker's registration")
        let origin = try await run("await navigator.serviceWorker.ready; return location.origin;")
        let known = update["registrations"].elements.last { $0["scopeURL"].text?.hasPrefix(origin.text ?? "-") == true }
        guard let known else { throw BrowserError("there is no service worker") }
        try await send("ServiceWorker.startWorker", ["scopeURL": known["scopeURL"]])
        let worker = try await worker()
        try await evaluate(Self.watchForPush, in: worker)
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
    ///   - tag: The notification's.
    ///   - action: Its button; empty: the notification itself.
    /// - Throws: ``BrowserError`` when there is no such notification.
    public func pressNotification(_ tag: String, action: String) async throws {
        let script = """
            self.registration.getNotifications({ tag: \(JSON.string(tag)) }).then(([notification]) => self.dispatchEvent(
                new NotificationEvent("notificationclick", { notification, action: \(JSON.string(action)) })))
            """
        try await evaluate(script, in: worker())
    }

    /// Has `pushed` be kept when the next message has been seen to.
    private static let watchForPush = """
        globalThis.pushed = Promise.withResolvers();
        PushEvent.prototype.waitUntil = function (job) {
            ExtendableEvent.prototype.waitUntil.call(this, job);
            job.finally(pushed.resolve);
        };
        """

    /// The session of the page's service worker.
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

    private func evaluate(_ script: String, in worker: String) async throws {
        let answer = try await browser.pipe.send(
            "Runtime.evaluate",
            ["expression": .string(script), "awaitPromise": true],
            session: worker
        )
        if let fault = answer["exceptionDetails"]["exception"]["description"].text { throw BrowserError(fault) }
    }
}
