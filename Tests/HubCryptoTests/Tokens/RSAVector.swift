/// A key and a token of another implementation (cryptography 48 on OpenSSL), since the hub signs by no RSA key.
enum RSAVector {
    /// The public key of 2048 bits, with the kid `rsa`.
    static let key =
        "{\"kid\": \"rsa\", \"use\": \"sig\", \"alg\": \"RS256\", \"kty\": \"RSA\", \"n\": \"wAqtowx9hCtTKUkP"
        + "-X2DbGI6ZcZ73jfRFys2x-XA66EkyoRF3bTg50e_rgJ9DLXeAEcZXQBMeO_H4Y2A4FyhLbVjfzt6lK8j9CQX0nN45D1gn5lXOCGr"
        + "gtO_a0Ouxr82EY5f0t0u5tfRZo_-vgzp0wCSAHco3uB1JknS0ksd-SM_7iyVvtumBKBTl5YEOs2gPyHApjI54CeT5A6lflbQKihw"
        + "NevvBW921Yk93mvTEkj0WPcIRewI-YJongV2bdyqLewqlIlAvh17r6iet8_6cG7u2DwU4skbTO9ZIgqwjy_mBAybtDalGKFxmG5b"
        + "5Q8rQEeH58hEUlkYpaphs5sm5w\", \"e\": \"AQAB\"}"

    /// An ID token with the usual claims of ``TestIssuer`` and a nonce of 43 times `n`.
    static let token =
        "eyJhbGciOiAiUlMyNTYiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBs"
        + "ZSIsICJhdWQiOiAiY2FsbGh1YiIsICJzdWIiOiAiYWxpY2UiLCAiaWF0IjogMTc5OTk5OTk5MCwgImV4cCI6IDE4MDAwMDA2MDAs"
        + "ICJub25jZSI6ICJubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5uIn0.vn_4TEo15FY1XgXDXv3Qjxe5"
        + "l2xgo5oo7OlxuikVmWUkJweu-iyGKZSviX8kSl7GlQQfTAJ9dpuyQHkiLsphcX73-Ab-wm-GFEgd7l85qszXKcrfic9-2rVgGIkr"
        + "mgqgYBqR59npAEtR2CnmFJu09mhyaLtPGyKN6SOsKfxQfNBwWn5qUJFMSSV5WHMiklI0UzfrPpxANWpCvEpFSQ26tWCza27mytnN"
        + "ChH5zEFcTV1kUnMokHpU_qwd0O-ELFhx5EzRaFf0zFSDpCiO5P8KORGlDVocqt8fRj-lEiD62CSOdzH4Eusu0JWJSdOEg6QJ_wCZ"
        + "B_IioEqsPkvkrBzwXw"

    /// A key of 1024 bits.
    static let shortKey =
        "{\"kid\": \"4adf29ae\", \"use\": \"sig\", \"alg\": \"RS256\", \"kty\": \"RSA\", \"n\": \"y11m_0EaouE"
        + "_88LdDpLBhK8TeMdNgI9glKoAqUM7EYgtl3FlKcJn7OELfd77w_TdpOXoeFd3Q7C2GYPiUf4JIvokqASJW9sj94bKwBTUst1YIK4"
        + "49eaR6vrsJO98dRh5oGDKzq1VAhRBmhAAcjgAx3sgw1J3M45vzmzDzt9OGQs\", \"e\": \"AQAB\"}"
}
