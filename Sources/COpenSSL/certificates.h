#ifndef HUB_COpenSSL_CERTIFICATES_H
#define HUB_COpenSSL_CERTIFICATES_H

/* X.509 certificates: an authority's own, and those that it issues. */

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* A certificate to be made. Texts are zero-terminated; lists of names as in OpenSSL's configuration files. */
struct hub_x509_order {
    EVP_PKEY *key;
    /* NULL: signed by its own key, an authority. */
    const X509 *issuer;
    EVP_PKEY *issuer_key;
    const char *common_name;
    /* Seconds since 1970. */
    int64_t not_before, not_after;
    /* NULL: none. */
    const char *alternative_names;
    /* A certificate whose alternative names are taken over; NULL: none. */
    const X509 *names_of;
    const char *constraints;
};

static inline int hub_x509_extend(X509 *certificate, X509V3_CTX *context, int kind, const char *value) {
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, context, kind, value);
    int added = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

/* A serial number of 127 random bits, which RFC 5280 wants positive. */
static inline int hub_x509_number(X509 *certificate) {
    unsigned char bytes[16];
    BIGNUM *number = NULL;
    int done = RAND_bytes(bytes, sizeof bytes) == 1;
    bytes[0] = (unsigned char)((bytes[0] & 0x7F) | 0x40);
    number = done ? BN_bin2bn(bytes, sizeof bytes, NULL) : NULL;
    done = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return done;
}

static inline int hub_x509_fill(X509 *certificate, const struct hub_x509_order *order) {
    X509V3_CTX context;
    X509_NAME *name = X509_get_subject_name(certificate);
    int is_authority = order->issuer == NULL;
    const X509 *issuer = is_authority ? certificate : order->issuer;
    if (!X509_set_version(certificate, X509_VERSION_3) || !hub_x509_number(certificate) ||
        !ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)order->not_before) ||
        !ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)order->not_after) ||
        !X509_set_pubkey(certificate, order->key) ||
        !X509_NAME_add_entry_by_txt(
            name, "CN", MBSTRING_UTF8, (const unsigned char *)order->common_name, -1, -1, 0) ||
        !X509_set_issuer_name(certificate, X509_get_subject_name(issuer)))
        return 0;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, (X509 *)issuer, certificate, NULL, NULL, 0);
    if (!hub_x509_extend(
            certificate,
            &context,
            NID_basic_constraints,
            is_authority ? "critical,CA:TRUE,pathlen:0" : "critical,CA:FALSE") ||
        !hub_x509_extend(
            certificate,
            &context,
            NID_key_usage,
            is_authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature") ||
        !hub_x509_extend(certificate, &context, NID_subject_key_identifier, "hash") ||
        (!is_authority && !hub_x509_extend(certificate, &context, NID_authority_key_identifier, "keyid:always")) ||
        (!is_authority && !hub_x509_extend(certificate, &context, NID_ext_key_usage, "serverAuth")))
        return 0;
    if (order->alternative_names &&
        !hub_x509_extend(certificate, &context, NID_subject_alt_name, order->alternative_names))
        return 0;
    if (order->names_of) {
        int place = X509_get_ext_by_NID(order->names_of, NID_subject_alt_name, -1);
        if (place < 0 || !X509_add_ext(certificate, X509_get_ext(order->names_of, place), -1)) return 0;
    }
    return !order->constraints ||
           hub_x509_extend(certificate, &context, NID_name_constraints, order->constraints);
}

/* Makes and signs a certificate; NULL: OpenSSL refuses one of the texts or times, or has no memory. */
static inline X509 *hub_x509_make(const struct hub_x509_order *order) {
    X509 *certificate = X509_new();
    if (certificate && (!hub_x509_fill(certificate, order) ||
                        !X509_sign(certificate, order->issuer ? order->issuer_key : order->key, EVP_sha256()))) {
        X509_free(certificate);
        certificate = NULL;
    }
    ERR_clear_error();
    return certificate;
}

static inline void hub_x509_free(X509 *certificate) { X509_free(certificate); }

static inline int hub_pem_no_passphrase(char *buffer, int size, int for_writing, void *asked) {
    (void)buffer, (void)size, (void)for_writing, (void)asked;
    return -1;
}

/* The first certificate of a PEM text; NULL: there is none. */
static inline X509 *hub_x509_of_pem(const char *text, int count) {
    BIO *memory = BIO_new_mem_buf(text, count);
    X509 *certificate = memory ? PEM_read_bio_X509(memory, NULL, hub_pem_no_passphrase, NULL) : NULL;
    BIO_free(memory);
    ERR_clear_error();
    return certificate;
}

/* The private key of a PEM text; NULL: there is none, or it has a passphrase. */
static inline EVP_PKEY *hub_key_of_pem(const char *text, int count) {
    BIO *memory = BIO_new_mem_buf(text, count);
    EVP_PKEY *key = memory ? PEM_read_bio_PrivateKey(memory, NULL, hub_pem_no_passphrase, NULL) : NULL;
    BIO_free(memory);
    ERR_clear_error();
    return key;
}

/* The text that `memory` holds, which is to be freed by hub_pem_free; frees `memory`. */
static inline char *hub_pem_take(BIO *memory, int is_written) {
    char *bytes = NULL, *text = NULL;
    long count = memory && is_written ? BIO_get_mem_data(memory, &bytes) : 0;
    if (count > 0) text = OPENSSL_strndup(bytes, (size_t)count);
    BIO_free(memory);
    ERR_clear_error();
    return text;
}

static inline void hub_pem_free(char *text) { OPENSSL_clear_free(text, text ? strlen(text) : 0); }

static inline char *hub_x509_pem(const X509 *certificate) {
    BIO *memory = BIO_new(BIO_s_mem());
    return hub_pem_take(memory, memory && PEM_write_bio_X509(memory, (X509 *)certificate));
}

static inline char *hub_key_pem(const EVP_PKEY *key) {
    BIO *memory = BIO_new(BIO_s_secmem());
    return hub_pem_take(
        memory, memory && PEM_write_bio_PKCS8PrivateKey(memory, (EVP_PKEY *)key, NULL, NULL, 0, NULL, NULL));
}

/* The certificate in DER: asked with `bytes` NULL it tells the length, else it writes so many; 0 if it cannot. */
static inline int hub_x509_der(const X509 *certificate, unsigned char *bytes) {
    int count = i2d_X509((X509 *)certificate, bytes ? &bytes : NULL);
    ERR_clear_error();
    return count > 0 ? count : 0;
}

/* SHA-256 of the certificate in DER; 1 if it was written. */
static inline int hub_x509_digest(const X509 *certificate, unsigned char digest[32]) {
    unsigned int count = 0;
    return X509_digest(certificate, EVP_sha256(), digest, &count) == 1 && count == 32;
}

/* SHA-256 of a key's public half in DER; 1 if it was written. */
static inline int hub_key_digest_public(const EVP_PKEY *key, unsigned char digest[32]) {
    unsigned char *bytes = NULL;
    int count = i2d_PUBKEY((EVP_PKEY *)key, &bytes);
    int done = count > 0 && EVP_Digest(bytes, (size_t)count, digest, NULL, EVP_sha256(), NULL) == 1;
    OPENSSL_free(bytes);
    ERR_clear_error();
    return done;
}

static inline int64_t hub_x509_seconds(const ASN1_TIME *time) {
    int days = 0, seconds = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int told = epoch && time && ASN1_TIME_diff(&days, &seconds, epoch, time);
    ASN1_TIME_free(epoch);
    return told ? (int64_t)days * 86400 + seconds : 0;
}

/* The times between which a certificate is valid, in seconds since 1970; 0 if one cannot be told. */
static inline int64_t hub_x509_begins(const X509 *certificate) {
    return hub_x509_seconds(X509_get0_notBefore(certificate));
}
static inline int64_t hub_x509_ends(const X509 *certificate) {
    return hub_x509_seconds(X509_get0_notAfter(certificate));
}

/* Whether a key is the certificate's own. */
static inline int hub_x509_has_key(const X509 *certificate, const EVP_PKEY *key) {
    int has = X509_check_private_key((X509 *)certificate, (EVP_PKEY *)key) == 1;
    ERR_clear_error();
    return has;
}

/* Whether a certificate is an authority's, and signed by itself. */
static inline int hub_x509_is_authority(const X509 *certificate) {
    int is = X509_check_ca((X509 *)certificate) == 1 &&
             X509_verify((X509 *)certificate, X509_get0_pubkey(certificate)) == 1;
    ERR_clear_error();
    return is;
}

/* Whether the name constraints of an authority permit all names of a certificate. */
static inline int hub_x509_permits(const X509 *authority, const X509 *certificate) {
    NAME_CONSTRAINTS *constraints = X509_get_ext_d2i((X509 *)authority, NID_name_constraints, NULL, NULL);
    int permits = X509_check_purpose((X509 *)certificate, -1, 0) == 1 &&
                  (!constraints || NAME_CONSTRAINTS_check((X509 *)certificate, constraints) == X509_V_OK);
    NAME_CONSTRAINTS_free(constraints);
    ERR_clear_error();
    return permits;
}

/* Whether an authority has signed a certificate. */
static inline int hub_x509_issued(const X509 *authority, const X509 *certificate) {
    int issued = X509_check_issued((X509 *)authority, (X509 *)certificate) == X509_V_OK &&
                 X509_verify((X509 *)certificate, X509_get0_pubkey(authority)) == 1;
    ERR_clear_error();
    return issued;
}

/* Whether the subject alternative names of two certificates are the same. */
static inline int hub_x509_has_names_of(const X509 *one, const X509 *other) {
    int first = X509_get_ext_by_NID(one, NID_subject_alt_name, -1);
    int second = X509_get_ext_by_NID(other, NID_subject_alt_name, -1);
    return first >= 0 && second >= 0 &&
           ASN1_OCTET_STRING_cmp(
               X509_EXTENSION_get_data(X509_get_ext(one, first)),
               X509_EXTENSION_get_data(X509_get_ext(other, second))) == 0;
}

/* The subject alternative names as openssl prints them, with ", " in between; to be freed by hub_pem_free. */
static inline char *hub_x509_names(const X509 *certificate) {
    int place = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
    BIO *memory = place < 0 ? NULL : BIO_new(BIO_s_mem());
    return hub_pem_take(memory, memory && X509V3_EXT_print(memory, X509_get_ext(certificate, place), 0, 0));
}

/* The common name of the subject, of at most `count` bytes with its zero; its length, -1 if there is none. */
static inline int hub_x509_common_name(const X509 *certificate, char *text, int count) {
    return X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, text, count);
}

/* The issuer's common name, or else its organization, as above. */
static inline int hub_x509_issuer_name(const X509 *certificate, char *text, int count) {
    const int length = X509_NAME_get_text_by_NID(X509_get_issuer_name(certificate), NID_commonName, text, count);
    if (length >= 0) return length;
    return X509_NAME_get_text_by_NID(X509_get_issuer_name(certificate), NID_organizationName, text, count);
}

#endif
