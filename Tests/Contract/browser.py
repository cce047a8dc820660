"""A browser as far as a sign-in by a provider needs one: it follows redirects, keeps cookies for each host, and sends a form."""

import base64
import hashlib
import html
import http.client
import re
import secrets
from urllib.parse import urlencode, urljoin, urlsplit


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.body = response.read().decode()

    @property
    def location(self):
        return self.headers["Location"]


class Browser:
    """One browser, at the page of a hub."""

    def __init__(self, hub):
        self.page, self.cookies = f"http://127.0.0.1:{hub.port}/", {}
        #: What the page keeps in its tab.
        self.verifier = secrets.token_urlsafe(32)

    def get(self, url, **headers):
        return self.ask("GET", url, None, headers)

    def ask(self, method, url, body=None, headers=None):
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        headers = dict(headers or {})
        jar = self.cookies.setdefault(parts.netloc, {})
        if jar and "Cookie" not in headers:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        try:
            connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body, headers)
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            jar[name] = value
        return answer

    def start(self, **more):
        """Asks the hub to begin; the provider's page that it sends the browser to."""
        query = urlencode({"challenge": digest(self.verifier)} | more)
        answer = self.get(f"{self.page}v1/openid/start?{query}")
        assert answer.status == 303, answer.body
        return answer.location

    def at_provider(self, url, user="", cancel=False):
        """Sends the provider's form; the address that it sends the browser back to."""
        page = self.get(url)
        assert page.status == 200, page.body
        request = html.unescape(re.search(r'name="request" value="([^"]*)"', page.body)[1])
        form = {"request": request, "user": user} | ({"cancel": "1"} if cancel else {})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = self.ask("POST", urljoin(url, "/login"), urlencode(form), kind)
        assert answer.status == 303, answer.body
        return answer.location

    def back(self, url):
        """Brings the provider's answer to the hub; the fragment of the page that the browser is sent to."""
        answer = self.get(url)
        assert answer.status == 303, answer.body
        target = urljoin(url, answer.location)
        assert target.startswith(self.page + "#"), target
        for name, value in (("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")):
            assert answer.headers[name] == value
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        return urlsplit(target).fragment

    def sign_in(self, user, **more):
        """Goes all the way; the proof for `session.open`."""
        return self.proof(self.back(self.at_provider(self.start(), user, **more)))

    def proof(self, fragment):
        assert re.fullmatch(r"openid=[A-Za-z0-9_-]{43}", fragment), fragment
        return {"code": fragment.partition("=")[2], "verifier": self.verifier}

    def refused(self, user, **more):
        """Goes all the way; the word of the error at its end."""
        return self.word(self.back(self.at_provider(self.start(), user, **more)))

    @staticmethod
    def word(fragment):
        name, _, word = fragment.partition("=")
        assert name == "openid-error", fragment
        return word
