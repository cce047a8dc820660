#ifndef HUB_CSODIUM_SHIM_H
#define HUB_CSODIUM_SHIM_H

/* libsodium behind names of our own: its lengths and limits are macros over casts, which Swift does not import. */

#include <sodium.h>
#include <stdint.h>

/* Lengths as enumerators, for Swift to see them. */
enum {
    HUB_SODIUM_SALT_BYTES = crypto_pwhash_argon2id_SALTBYTES,
    HUB_SODIUM_SHA256_BYTES = crypto_hash_sha256_BYTES,
    HUB_SODIUM_SHA512_BYTES = crypto_hash_sha512_BYTES,
    HUB_SODIUM_TEXT_BYTES = crypto_pwhash_argon2id_STRBYTES,
};

/* Chooses the fastest implementations for this processor; must come first, may come again, and from any thread. */
static inline int hub_sodium_start(void) { return sodium_init() >= 0; }

/* Random bytes from the kernel. */
static inline void hub_sodium_random(void *bytes, size_t count) { randombytes_buf(bytes, count); }

/* Whether two pieces of memory are the same, in a time that does not depend on what is in them. */
static inline int hub_sodium_equal(const void *one, const void *other, size_t count) {
    return sodium_memcmp(one, other, count) == 0;
}

/* Overwrites with zeros, also where a compiler sees that nobody will read them. */
static inline void hub_sodium_wipe(void *bytes, size_t count) { sodium_memzero(bytes, count); }

/* SHA-256 of a message. */
static inline void hub_sodium_sha512(uint8_t *digest, const uint8_t *message, size_t count) {
    crypto_hash_sha512(digest, message, count);
}
static inline void hub_sodium_sha256(uint8_t *digest, const uint8_t *message, size_t count) {
    crypto_hash_sha256(digest, message, count);
}

/* Memory for a secret: with guard pages around it, out of swap where the system allows it, wiped when it is freed. */
static inline void *hub_sodium_secret(size_t count) { return sodium_malloc(count); }
static inline void hub_sodium_forget(void *secret) { sodium_free(secret); }

/* The storable text of a password by argon2id, with a random salt; 1 unless there was no memory for it. */
static inline int hub_sodium_password_text(
    char text[HUB_SODIUM_TEXT_BYTES], const char *password, size_t count, uint64_t passes, size_t memory) {
    return crypto_pwhash_argon2id_str(text, password, count, passes, memory) == 0;
}

/* Whether a text is a password's; the text must end with a zero. */
static inline int hub_sodium_password_matches(const char *text, const char *password, size_t count) {
    return crypto_pwhash_argon2id_str_verify(text, password, count) == 0;
}

/* Whether 32 bytes are an Ed25519 public key as libsodium takes one: canonical, on the curve, of the prime order's
   subgroup and not of small order. OpenSSL takes any; under one of small order some signatures fit every message. */
static inline int hub_sodium_ed25519_point_is_sound(const uint8_t point[crypto_core_ed25519_BYTES]) {
    return crypto_core_ed25519_is_valid_point(point);
}

#endif
