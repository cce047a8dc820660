#ifndef HUB_COpenSSL_ACME_H
#define HUB_COpenSSL_ACME_H

/* What ACME (RFC 8555) needs of X.509, each as one step that either is done or is not: requests for certificates, the
   certificates of tls-alpn-01, and the reading of the chains that a server sends. */

#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "keys.h"
#include "shim.h"

/* More certificates in a chain: none of the public authorities has more than four. */
enum { HUB_ACME_CHAIN_LIMIT = 10 };

/* Frees what the functions below have made. */
static inline void hub_acme_free(void *bytes) { OPENSSL_free(bytes); }

/* The DNS names of a list with commas between them; NULL if there is no memory. */
static inline GENERAL_NAMES *hub_acme_names(const char *list) {
    GENERAL_NAMES *names = sk_GENERAL_NAME_new_null();
    while (names && *list) {
        size_t count = strcspn(list, ",");
        ASN1_IA5STRING *text = ASN1_IA5STRING_new();
        GENERAL_NAME *name = GENERAL_NAME_new();
        if (text && name && ASN1_STRING_set(text, list, (int)count) == 1) {
            GENERAL_NAME_set0_value(name, GEN_DNS, text);
            text = NULL;
            if (sk_GENERAL_NAME_push(names, name) > 0) name = NULL;
        }
        if (text || name) {
            ASN1_IA5STRING_free(text);
            GENERAL_NAME_free(name);
            GENERAL_NAMES_free(names);
            return NULL;
        }
        list += count + (list[count] == ',');
    }
    return names;
}

/* A request for a certificate (RFC 2986) in DER, without a subject: its length, or 0. */
static inline int hub_acme_request(const uint8_t *pkcs8, long count, const char *list, uint8_t **der) {
    int length = 0;
    EVP_PKEY *key = hub_key_import(pkcs8, count);
    X509_REQ *request = X509_REQ_new();
    GENERAL_NAMES *names = hub_acme_names(list);
    STACK_OF(X509_EXTENSION) *extensions = NULL;
    *der = NULL;
    if (key && request && names && X509_REQ_set_version(request, X509_REQ_VERSION_1) == 1 &&
        X509_REQ_set_pubkey(request, key) == 1 &&
        X509V3_add1_i2d(&extensions, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1 &&
        X509_REQ_add_extensions(request, extensions) == 1 && X509_REQ_sign(request, key, EVP_sha256()) > 0)
        length = i2d_X509_REQ(request, der);
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
    GENERAL_NAMES_free(names);
    X509_REQ_free(request);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return length > 0 ? length : 0;
}

/* The bytes that a memory BIO holds, with a zero behind them; NULL if there is no memory. */
static inline char *hub_acme_text(BIO *memory) {
    char *start = NULL;
    long count = BIO_get_mem_data(memory, &start);
    return start && count > 0 ? OPENSSL_strndup(start, (size_t)count) : NULL;
}

/* Adds id-pe-acmeIdentifier (RFC 8737 section 3): critical, an OCTET STRING of 32 bytes. */
static inline int hub_acme_add_identifier(X509 *certificate, const uint8_t digest[32]) {
    uint8_t der[34] = {V_ASN1_OCTET_STRING, 32};
    int added;
    ASN1_OBJECT *name = OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1);
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    X509_EXTENSION *extension = NULL;
    memcpy(der + 2, digest, 32);
    added = name && value && ASN1_OCTET_STRING_set(value, der, sizeof der) == 1 &&
            (extension = X509_EXTENSION_create_by_OBJ(NULL, name, 1, value)) &&
            X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    ASN1_OCTET_STRING_free(value);
    ASN1_OBJECT_free(name);
    return added;
}

/* The self-signed certificate of tls-alpn-01 for one name in PEM, valid a week around now; NULL if it cannot be made. */
static inline char *hub_acme_challenge(
    const uint8_t *pkcs8, long count, const char *host, const uint8_t digest[32], long long now) {
    char *pem = NULL;
    uint64_t serial = 0;
    EVP_PKEY *key = hub_key_import(pkcs8, count);
    X509 *made = X509_new();
    GENERAL_NAMES *names = hub_acme_names(host);
    X509_NAME *subject = X509_NAME_new();
    BIO *memory = BIO_new(BIO_s_mem());
    if (key && made && names && subject && memory && RAND_bytes((unsigned char *)&serial, sizeof serial) == 1 &&
        X509_NAME_add_entry_by_NID(
            subject, NID_commonName, MBSTRING_ASC, (const unsigned char *)"ACME challenge", -1, -1, 0) == 1 &&
        X509_set_version(made, X509_VERSION_3) == 1 &&
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), serial >> 1 | 1) == 1 &&
        ASN1_TIME_set(X509_getm_notBefore(made), (time_t)(now - 86400)) &&
        ASN1_TIME_set(X509_getm_notAfter(made), (time_t)(now + 6 * 86400)) &&
        X509_set_subject_name(made, subject) == 1 && X509_set_issuer_name(made, subject) == 1 &&
        X509_set_pubkey(made, key) == 1 &&
        X509_add1_ext_i2d(made, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1 &&
        hub_acme_add_identifier(made, digest) && X509_sign(made, key, EVP_sha256()) > 0 &&
        PEM_write_bio_X509(memory, made) == 1)
        pem = hub_acme_text(memory);
    BIO_free(memory);
    X509_NAME_free(subject);
    GENERAL_NAMES_free(names);
    X509_free(made);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return pem;
}

/* What became of reading a chain. */
enum hub_acme_chain_outcome {
    HUB_ACME_CHAIN_READ,
    HUB_ACME_CHAIN_NOT_PEM,
    HUB_ACME_CHAIN_TOO_LONG,
    HUB_ACME_CHAIN_OTHER_KEY,
    HUB_ACME_CHAIN_OTHER_NAME,
    HUB_ACME_CHAIN_NOT_LINKED,
};

/* A chain: its text in PEM with nothing between the certificates, and what its first one says. */
struct hub_acme_chain {
    char *pem;
    /* Seconds since 1970. */
    long long not_before, not_after;
    uint8_t digest[32];
};

/* A time of a certificate in seconds since 1970. */
static inline int hub_acme_seconds(const ASN1_TIME *time, long long *seconds) {
    int days = 0, rest = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int told = epoch && time && ASN1_TIME_diff(&days, &rest, epoch, time) == 1;
    *seconds = (long long)days * 86400 + rest;
    ASN1_TIME_free(epoch);
    return told;
}

/* Whether a certificate is for each name of a list with commas between them. */
static inline int hub_acme_has_names(X509 *certificate, const char *list) {
    while (*list) {
        size_t count = strcspn(list, ",");
        if (X509_check_host(certificate, list, count, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL) != 1) return 0;
        list += count + (list[count] == ',');
    }
    return 1;
}

/* Holds a list of certificates against the key and the names, and each certificate against its issuer's. */
static inline enum hub_acme_chain_outcome hub_acme_check(STACK_OF(X509) *list, EVP_PKEY *key, const char *names) {
    X509 *leaf = sk_X509_value(list, 0);
    if (!leaf) return HUB_ACME_CHAIN_NOT_PEM;
    if (!key || X509_check_private_key(leaf, key) != 1) return HUB_ACME_CHAIN_OTHER_KEY;
    if (!hub_acme_has_names(leaf, names)) return HUB_ACME_CHAIN_OTHER_NAME;
    for (int place = 1; place < sk_X509_num(list); place++) {
        X509 *issuer = sk_X509_value(list, place), *issued = sk_X509_value(list, place - 1);
        if (X509_check_issued(issuer, issued) != X509_V_OK || X509_verify(issued, X509_get0_pubkey(issuer)) != 1)
            return HUB_ACME_CHAIN_NOT_LINKED;
    }
    return HUB_ACME_CHAIN_READ;
}

/* Reads a chain in PEM for a key and names; `chain->pem` is to be freed. */
static inline enum hub_acme_chain_outcome hub_acme_read_chain(
    const char *pem, int count, const uint8_t *pkcs8, long key_count, const char *names, struct hub_acme_chain *chain) {
    int asked = 0;
    unsigned int digest_count = 0;
    X509 *next;
    enum hub_acme_chain_outcome outcome = HUB_ACME_CHAIN_NOT_PEM;
    EVP_PKEY *key = hub_key_import(pkcs8, key_count);
    STACK_OF(X509) *list = sk_X509_new_null();
    BIO *input = BIO_new_mem_buf(pem, count), *output = BIO_new(BIO_s_mem());
    int usable = list && input && output;
    memset(chain, 0, sizeof *chain);
    while (usable && (next = PEM_read_bio_X509(input, NULL, hub_tls_no_passphrase, &asked))) {
        usable = sk_X509_num(list) < HUB_ACME_CHAIN_LIMIT && PEM_write_bio_X509(output, next) == 1;
        if (!usable || sk_X509_push(list, next) <= 0) {
            outcome = HUB_ACME_CHAIN_TOO_LONG;
            usable = 0;
            X509_free(next);
        }
    }
    if (usable) outcome = hub_acme_check(list, key, names);
    if (outcome == HUB_ACME_CHAIN_READ) {
        X509 *leaf = sk_X509_value(list, 0);
        if (!hub_acme_seconds(X509_get0_notBefore(leaf), &chain->not_before) ||
            !hub_acme_seconds(X509_get0_notAfter(leaf), &chain->not_after) ||
            X509_digest(leaf, EVP_sha256(), chain->digest, &digest_count) != 1 || !(chain->pem = hub_acme_text(output)))
            outcome = HUB_ACME_CHAIN_NOT_PEM;
    }
    sk_X509_pop_free(list, X509_free);
    BIO_free(input);
    BIO_free(output);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return outcome;
}

#endif
