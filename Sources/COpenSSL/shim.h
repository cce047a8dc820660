#ifndef HUB_COpenSSL_SHIM_H
#define HUB_COpenSSL_SHIM_H

/* OpenSSL behind names and types of our own: most of what is needed of it are macros, which Swift does not import. */

#include <openssl/err.h>
#include <openssl/ssl.h>

/* What became of reading a certificate and its key. */
enum hub_tls_outcome {
    HUB_TLS_LOADED,
    HUB_TLS_NO_MEMORY,
    HUB_TLS_BAD_CERTIFICATE,
    HUB_TLS_BAD_KEY,
    HUB_TLS_ENCRYPTED_KEY,
    HUB_TLS_MISMATCH,
};

/* A key with a passphrase is refused: OpenSSL's own way is to ask at the terminal. */
static inline int hub_tls_no_passphrase(char *buffer, int size, int for_writing, void *asked) {
    (void)buffer;
    (void)size;
    (void)for_writing;
    *(int *)asked = 1;
    return -1;
}

/* Reads a certificate with its chain, and its key, and holds them against each other; the pair is to be freed. */
static inline enum hub_tls_outcome hub_tls_load(const char *certificate, const char *key, SSL_CTX **pair) {
    int asked = 0;
    enum hub_tls_outcome outcome = HUB_TLS_LOADED;
    *pair = SSL_CTX_new(TLS_server_method());
    if (!*pair) return HUB_TLS_NO_MEMORY;
    ERR_clear_error();
    SSL_CTX_set_default_passwd_cb(*pair, hub_tls_no_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(*pair, &asked);
    if (SSL_CTX_use_certificate_chain_file(*pair, certificate) != 1)
        outcome = HUB_TLS_BAD_CERTIFICATE;
    else if (SSL_CTX_use_PrivateKey_file(*pair, key, SSL_FILETYPE_PEM) != 1) {
        if (asked)
            outcome = HUB_TLS_ENCRYPTED_KEY;
        else if (ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH)
            outcome = HUB_TLS_MISMATCH;
        else
            outcome = HUB_TLS_BAD_KEY;
    } else if (SSL_CTX_check_private_key(*pair) != 1)
        outcome = HUB_TLS_MISMATCH;
    ERR_clear_error();
    SSL_CTX_set_default_passwd_cb(*pair, NULL);
    SSL_CTX_set_default_passwd_cb_userdata(*pair, NULL);
    if (outcome != HUB_TLS_LOADED) {
        SSL_CTX_free(*pair);
        *pair = NULL;
    }
    return outcome;
}

static inline void hub_tls_free(SSL_CTX *pair) { SSL_CTX_free(pair); }

/* Has new handshakes of `context` use the pair; 1 if so. Connections that are open keep what they began with. */
static inline int hub_tls_install(SSL_CTX *context, SSL_CTX *pair) {
    STACK_OF(X509) *chain = NULL;
    int installed;
    SSL_CTX_get0_chain_certs(pair, &chain);
    installed =
        SSL_CTX_use_cert_and_key(context, SSL_CTX_get0_certificate(pair), SSL_CTX_get0_privatekey(pair), chain, 1);
    ERR_clear_error();
    return installed;
}

/* TLS 1.2 and 1.3. No list of sessions is kept: clients keep their tickets, all loops read each other's. */
static inline void hub_tls_configure(SSL_CTX *context, void *ticket_keys, long ticket_key_bytes) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_tlsext_ticket_keys(context, ticket_keys, ticket_key_bytes);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 0);
}

/* How many bytes of ticket keys this build wants. */
static inline long hub_tls_ticket_key_bytes(SSL_CTX *context) {
    return SSL_CTX_set_tlsext_ticket_keys(context, NULL, 0);
}

/* When the pair's certificate ends, in seconds since 1970; 0 if that cannot be told. */
static inline long long hub_tls_not_after(SSL_CTX *pair) {
    int days = 0, seconds = 0;
    const X509 *certificate = SSL_CTX_get0_certificate(pair);
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int told = certificate && epoch && ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(certificate));
    ASN1_TIME_free(epoch);
    return told ? (long long)days * 86400 + seconds : 0;
}

#endif
