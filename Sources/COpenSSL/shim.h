#ifndef HUB_COpenSSL_SHIM_H
#define HUB_COpenSSL_SHIM_H

/* OpenSSL behind names and types of our own: most of what is needed of it are macros, which Swift does not import. */

#include <openssl/err.h>
#include <openssl/pem.h>
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

/* Reads the certificate and its chain from a PEM text, to its end; 1 if there is one and no fault behind it. */
static inline int hub_tls_use_chain(SSL_CTX *pair, BIO *text, int *asked) {
    X509 *next = text ? PEM_read_bio_X509_AUX(text, NULL, hub_tls_no_passphrase, asked) : NULL;
    int used = next && SSL_CTX_use_certificate(pair, next) == 1;
    X509_free(next);
    ERR_clear_error();
    while (used && (next = PEM_read_bio_X509(text, NULL, hub_tls_no_passphrase, asked)))
        if (SSL_CTX_add0_chain_cert(pair, next) != 1) {
            X509_free(next);
            used = 0;
        }
    return used && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
}

/* Reads a certificate with its chain, and its key, and holds them against each other; the pair is to be freed. */
static inline enum hub_tls_outcome hub_tls_load(
    const char *certificate, int certificate_count, const char *key, int key_count, SSL_CTX **pair) {
    int asked = 0;
    enum hub_tls_outcome outcome = HUB_TLS_LOADED;
    BIO *chain_text = BIO_new_mem_buf(certificate, certificate_count), *key_text = BIO_new_mem_buf(key, key_count);
    EVP_PKEY *private_key = NULL;
    *pair = SSL_CTX_new(TLS_server_method());
    ERR_clear_error();
    if (!*pair)
        outcome = HUB_TLS_NO_MEMORY;
    else if (!hub_tls_use_chain(*pair, chain_text, &asked))
        outcome = HUB_TLS_BAD_CERTIFICATE;
    else if (!key_text || !(private_key = PEM_read_bio_PrivateKey(key_text, NULL, hub_tls_no_passphrase, &asked)))
        outcome = asked ? HUB_TLS_ENCRYPTED_KEY : HUB_TLS_BAD_KEY;
    else if (SSL_CTX_use_PrivateKey(*pair, private_key) != 1)
        outcome = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH ||
                          ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_TYPE_MISMATCH
                      ? HUB_TLS_MISMATCH
                      : HUB_TLS_BAD_KEY;
    else if (SSL_CTX_check_private_key(*pair) != 1)
        outcome = HUB_TLS_MISMATCH;
    EVP_PKEY_free(private_key);
    BIO_free(chain_text);
    BIO_free(key_text);
    ERR_clear_error();
    if (outcome != HUB_TLS_LOADED) {
        SSL_CTX_free(*pair);
        *pair = NULL;
    }
    return outcome;
}

static inline void hub_tls_free(SSL_CTX *pair) { SSL_CTX_free(pair); }

/* Shows the pair's certificate in a handshake, and no earlier one: a context keeps one of each kind of key. */
static inline int hub_tls_show(SSL *session, void *place) {
    SSL_CTX *pair = *(SSL_CTX **)place;
    STACK_OF(X509) *chain = NULL;
    int shown;
    SSL_CTX_get0_chain_certs(pair, &chain);
    SSL_certs_clear(session);
    shown =
        SSL_use_cert_and_key(session, SSL_CTX_get0_certificate(pair), SSL_CTX_get0_privatekey(pair), chain, 1) == 1;
    ERR_clear_error();
    return shown;
}

/* Has each handshake of `context` show the pair that is at `place` then. Connections keep what they began with. */
static inline void hub_tls_show_from(SSL_CTX *context, SSL_CTX **place) {
    SSL_CTX_set_cert_cb(context, hub_tls_show, place);
}

/* Makes the pair's certificate the one of `context` itself, whose age libwebsockets looks at each day. */
static inline void hub_tls_install(SSL_CTX *context, SSL_CTX *pair) {
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get0_chain_certs(pair, &chain);
    SSL_CTX_use_cert_and_key(context, SSL_CTX_get0_certificate(pair), SSL_CTX_get0_privatekey(pair), chain, 1);
    ERR_clear_error();
}

/* TLS 1.2 and 1.3. No list of sessions is kept: clients keep their tickets, all loops read each other's. */
static inline void hub_tls_configure(SSL_CTX *context, void *ticket_keys, long ticket_key_bytes) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_tlsext_ticket_keys(context, ticket_keys, ticket_key_bytes);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 0);
}

/* The protocol that a challenge of an authority is answered by (RFC 8737), and no host name chooses another context. */
static inline int hub_tls_select_challenge(
    SSL *session, const unsigned char **chosen, unsigned char *count, const unsigned char *offered, unsigned int size,
    void *data) {
    static const unsigned char name[] = "acme-tls/1";
    (void)session, (void)offered, (void)size, (void)data;
    *chosen = name;
    *count = sizeof name - 1;
    return SSL_TLSEXT_ERR_OK;
}
static inline int hub_tls_keep_context(SSL *session, int *alert, void *data) {
    (void)session, (void)alert, (void)data;
    return SSL_TLSEXT_ERR_OK;
}

/* Has a handshake answer a challenge by the pair, from its client's first message on; 1 if so. */
static inline int hub_tls_answer_challenge(SSL *session, SSL_CTX *pair) {
    SSL_CTX_set_alpn_select_cb(pair, hub_tls_select_challenge, NULL);
    SSL_CTX_set_tlsext_servername_callback(pair, hub_tls_keep_context);
    return SSL_set_SSL_CTX(session, pair) == pair;
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
