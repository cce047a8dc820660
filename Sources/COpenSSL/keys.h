#ifndef HUB_COpenSSL_KEYS_H
#define HUB_COpenSSL_KEYS_H

/* Keys, signatures, key agreement and AES of OpenSSL 3, each as one step that either is done or is not. What is between
   (contexts, parameters, big numbers, DER) has to be freed on every way out, which is plainest said in C. */

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <string.h>

enum {
    HUB_KEY_ED25519_BYTES = 32,
    HUB_KEY_SCALAR_BYTES = 32,
    HUB_KEY_POINT_BYTES = 65,
    HUB_KEY_SIGNATURE_BYTES = 64,
};

/* Makes a P-256 key of its parts; `scalar` is NULL for a public one. OpenSSL 3 wants them as a list of parameters and
   refuses a point that is not on the curve. */
static inline EVP_PKEY *hub_key_of_parts(const uint8_t point[HUB_KEY_POINT_BYTES], const BIGNUM *scalar) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *parts = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (parts && context && OSSL_PARAM_BLD_push_utf8_string(parts, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(parts, OSSL_PKEY_PARAM_PUB_KEY, point, HUB_KEY_POINT_BYTES) == 1 &&
        (!scalar || OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1) &&
        (parameters = OSSL_PARAM_BLD_to_param(parts)) && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(parts);
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return key;
}

/* A P-256 public key of an uncompressed point; NULL if the point is not on the curve. */
static inline EVP_PKEY *hub_key_of_point(const uint8_t point[HUB_KEY_POINT_BYTES]) {
    return point[0] == POINT_CONVERSION_UNCOMPRESSED ? hub_key_of_parts(point, NULL) : NULL;
}

/* A P-256 key pair of its secret number, the point being computed; NULL unless 0 < number < the group's order. */
static inline EVP_PKEY *hub_key_of_scalar(const uint8_t bytes[HUB_KEY_SCALAR_BYTES]) {
    EVP_PKEY *key = NULL;
    uint8_t encoded[HUB_KEY_POINT_BYTES];
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = group ? EC_POINT_new(group) : NULL;
    BIGNUM *scalar = BN_secure_new();
    if (scalar) BN_set_flags(scalar, BN_FLG_CONSTTIME);
    if (point && scalar && BN_bin2bn(bytes, HUB_KEY_SCALAR_BYTES, scalar) && !BN_is_zero(scalar) &&
        BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0 && EC_POINT_mul(group, point, scalar, NULL, NULL, NULL) == 1 &&
        EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, NULL) == 65)
        key = hub_key_of_parts(encoded, scalar);
    BN_clear_free(scalar);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    ERR_clear_error();
    return key;
}

/* An Ed25519 public key; NULL if there is no memory: OpenSSL takes any 32 bytes. */
static inline EVP_PKEY *hub_key_of_ed25519(const uint8_t bytes[HUB_KEY_ED25519_BYTES]) {
    return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, bytes, HUB_KEY_ED25519_BYTES);
}

/* An RSA public key of its modulus and exponent; NULL unless the modulus has 2048 to 8192 bits and the exponent is odd,
   above 2 and below 2^32: larger numbers would only cost time. */
static inline EVP_PKEY *hub_key_of_rsa(const uint8_t *modulus, int modulus_count, const uint8_t *exponent, int exponent_count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *parts = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    BIGNUM *n = BN_bin2bn(modulus, modulus_count, NULL), *e = BN_bin2bn(exponent, exponent_count, NULL);
    if (parts && context && n && e && BN_num_bits(n) >= 2048 && BN_num_bits(n) <= 8192 && BN_is_odd(n) && BN_is_odd(e) &&
        BN_num_bits(e) >= 2 && BN_num_bits(e) <= 32 && OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_RSA_E, e) == 1 &&
        (parameters = OSSL_PARAM_BLD_to_param(parts)) && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(parts);
    EVP_PKEY_CTX_free(context);
    BN_free(n);
    BN_free(e);
    ERR_clear_error();
    return key;
}

/* Fresh key pairs; OpenSSL's own ways are a macro and a function with variable arguments. */
static inline EVP_PKEY *hub_key_new_p256(void) { return EVP_EC_gen("prime256v1"); }
static inline EVP_PKEY *hub_key_new_ed25519(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

static inline void hub_key_free(EVP_PKEY *key) { EVP_PKEY_free(key); }

/* Whether a key is of the curve, by the name that OpenSSL has for it. */
static inline int hub_key_is_p256(const EVP_PKEY *key) {
    char name[32];
    size_t count = 0;
    return EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, name, sizeof name, &count) == 1 &&
           strcmp(name, "prime256v1") == 0;
}
static inline int hub_key_is_ed25519(const EVP_PKEY *key) { return EVP_PKEY_is_a(key, "ED25519"); }
static inline int hub_key_is_rsa(const EVP_PKEY *key) { return EVP_PKEY_is_a(key, "RSA"); }

/* The uncompressed point of a P-256 key; 1 if it was written. */
static inline int hub_key_point(const EVP_PKEY *key, uint8_t point[HUB_KEY_POINT_BYTES]) {
    size_t count = 0;
    int told = EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, HUB_KEY_POINT_BYTES, &count);
    ERR_clear_error();
    return told == 1 && count == HUB_KEY_POINT_BYTES && point[0] == POINT_CONVERSION_UNCOMPRESSED;
}

/* The public bytes of an Ed25519 key; 1 if they were written. */
static inline int hub_key_ed25519(const EVP_PKEY *key, uint8_t bytes[HUB_KEY_ED25519_BYTES]) {
    size_t count = HUB_KEY_ED25519_BYTES;
    return EVP_PKEY_get_raw_public_key(key, bytes, &count) == 1 && count == HUB_KEY_ED25519_BYTES;
}

/* A key pair as PKCS #8 in DER: asked with `bytes` NULL it tells the length, else it writes so many; 0 if it cannot. */
static inline int hub_key_export(const EVP_PKEY *key, uint8_t *bytes) {
    PKCS8_PRIV_KEY_INFO *information = EVP_PKEY2PKCS8(key);
    int count = information ? i2d_PKCS8_PRIV_KEY_INFO(information, bytes ? &bytes : NULL) : 0;
    PKCS8_PRIV_KEY_INFO_free(information);
    ERR_clear_error();
    return count > 0 ? count : 0;
}

/* A key pair from PKCS #8 in DER, whole and nothing behind it, its two halves held against each other; else NULL. */
static inline EVP_PKEY *hub_key_import(const uint8_t *bytes, long count) {
    const uint8_t *position = bytes;
    PKCS8_PRIV_KEY_INFO *information = d2i_PKCS8_PRIV_KEY_INFO(NULL, &position, count);
    EVP_PKEY *key = information && position == bytes + count ? EVP_PKCS82PKEY(information) : NULL;
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    if (key && (!context || EVP_PKEY_pairwise_check(context) != 1)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    PKCS8_PRIV_KEY_INFO_free(information);
    ERR_clear_error();
    return key;
}

/* The digest that goes with a key: Ed25519 has its own inside and wants none named. */
static inline const EVP_MD *hub_key_digest(const EVP_PKEY *key) {
    return hub_key_is_ed25519(key) ? NULL : EVP_sha256();
}

/* Whether a signature as JOSE has it (ECDSA: r and s of 32 bytes each) fits; OpenSSL itself reads ECDSA's as DER. */
static inline int hub_key_verify(
    EVP_PKEY *key, const uint8_t *message, size_t count, const uint8_t signature[HUB_KEY_SIGNATURE_BYTES]) {
    int fits = 0, der_count = HUB_KEY_SIGNATURE_BYTES;
    uint8_t *der = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!hub_key_is_ed25519(key)) {
        ECDSA_SIG *pair = ECDSA_SIG_new();
        BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
        if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1)
            der_count = i2d_ECDSA_SIG(pair, &der);
        else {
            BN_free(r);
            BN_free(s);
            der_count = 0;
        }
        ECDSA_SIG_free(pair);
    }
    if (context && der_count > 0 && EVP_DigestVerifyInit(context, NULL, hub_key_digest(key), NULL, key) == 1)
        fits = EVP_DigestVerify(context, der ? der : signature, (size_t)der_count, message, count) == 1;
    OPENSSL_free(der);
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return fits;
}

/* Whether a signature by RSASSA-PKCS1-v1_5 with SHA-256 fits; it must be as long as the modulus. */
static inline int hub_key_verify_rsa(
    EVP_PKEY *key, const uint8_t *message, size_t count, const uint8_t *signature, size_t signature_count) {
    int fits = 0;
    EVP_PKEY_CTX *parameters = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context && hub_key_is_rsa(key) && signature_count == (size_t)EVP_PKEY_get_size(key) &&
        EVP_DigestVerifyInit(context, &parameters, EVP_sha256(), NULL, key) == 1 &&
        EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1)
        fits = EVP_DigestVerify(context, signature, signature_count, message, count) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return fits;
}

/* Signs as JOSE has it; 1 if the signature was written. */
static inline int hub_key_sign(
    EVP_PKEY *key, const uint8_t *message, size_t count, uint8_t signature[HUB_KEY_SIGNATURE_BYTES]) {
    int done = 0;
    uint8_t made[80];
    size_t made_count = sizeof made;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context && EVP_DigestSignInit(context, NULL, hub_key_digest(key), NULL, key) == 1 &&
        EVP_DigestSign(context, made, &made_count, message, count) == 1) {
        if (hub_key_is_ed25519(key)) {
            done = made_count == HUB_KEY_SIGNATURE_BYTES;
            if (done) memcpy(signature, made, made_count);
        } else {
            const uint8_t *position = made;
            ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &position, (long)made_count);
            done = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32) == 32 &&
                   BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32) == 32;
            ECDSA_SIG_free(pair);
        }
    }
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return done;
}

/* The secret that two P-256 keys share (ECDH); 1 if it was written. */
static inline int hub_key_agree(EVP_PKEY *own, EVP_PKEY *theirs, uint8_t secret[32]) {
    size_t count = 32;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    int done = context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, theirs) == 1 &&
               EVP_PKEY_derive(context, secret, &count) == 1 && count == 32;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return done;
}

/* HMAC-SHA256; 1 if it was written. */
static inline int hub_hmac_sha256(
    const uint8_t *key, int key_count, const uint8_t *message, size_t count, uint8_t digest[32]) {
    return HMAC(EVP_sha256(), key, key_count, message, count, digest, NULL) != NULL;
}

/* Encrypts by AES-128-GCM; what comes out is 16 bytes longer, for the tag. 1 if it was written. */
static inline int hub_aes128_gcm_seal(
    const uint8_t key[16], const uint8_t nonce[12], const uint8_t *text, int count, uint8_t *sealed) {
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = context && EVP_EncryptInit_ex2(context, EVP_aes_128_gcm(), key, nonce, NULL) == 1 &&
               EVP_EncryptUpdate(context, sealed, &written, text, count) == 1 &&
               EVP_EncryptFinal_ex(context, sealed + written, &rest) == 1 && written + rest == count &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, sealed + count) == 1;
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return done;
}

#endif
