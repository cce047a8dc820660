#ifndef HUB_CCurl_REQUESTS_H
#define HUB_CCurl_REQUESTS_H

/* Requests whose answers are read: with limits, since a server that is asked may send anything. */

#include "shim.h"
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a server has sent so far. */
struct hub_curl_answer {
    uint8_t *bytes;
    size_t count;
    size_t header_count;
    /* The longest body and the longest headers that are taken. */
    size_t limit;
    size_t header_limit;
    int is_too_long;
};

static size_t hub_curl_collect(char *bytes, size_t size, size_t count, void *owner) {
    struct hub_curl_answer *answer = owner;
    size_t length = size * count;
    uint8_t *grown;
    if (length > answer->limit - answer->count) {
        answer->is_too_long = 1;
        return CURL_WRITEFUNC_ERROR;
    }
    if (!length) return 0;
    grown = realloc(answer->bytes, answer->count + length);
    if (!grown) return CURL_WRITEFUNC_ERROR;
    memcpy(grown + answer->count, bytes, length);
    answer->bytes = grown;
    answer->count += length;
    return length;
}

static size_t hub_curl_count_headers(char *bytes, size_t size, size_t count, void *owner) {
    struct hub_curl_answer *answer = owner;
    size_t length = size * count;
    (void)bytes;
    if (length > answer->header_limit - answer->header_count) {
        answer->is_too_long = 1;
        return CURL_WRITEFUNC_ERROR;
    }
    answer->header_count += length;
    return length;
}

static inline void hub_curl_free_answer(struct hub_curl_answer *answer) {
    free(answer->bytes);
    answer->bytes = NULL;
    answer->count = answer->header_count = 0;
}

/* Prepares a request by one of the protocols; body and answer must live as long as the transfer. Redirects are not
   followed. A transfer of which one option is refused is not to be used: CURLE_OK or the refusal. */
static inline CURLcode hub_curl_prepare_request(
    CURL *transfer, const char *protocols, const char *url, enum hub_curl_method method, struct curl_slist *headers, const void *body,
    size_t count, long milliseconds, const char *authority_file, struct hub_curl_answer *answer) {
    CURLcode result = hub_curl_prepare_sending(transfer, protocols, url, method, headers, body, count, milliseconds,
                                               authority_file);
    HUB_CURL_SET(CURLOPT_WRITEFUNCTION, hub_curl_collect);
    HUB_CURL_SET(CURLOPT_WRITEDATA, answer);
    HUB_CURL_SET(CURLOPT_HEADERFUNCTION, hub_curl_count_headers);
    HUB_CURL_SET(CURLOPT_HEADERDATA, answer);
    return result;
}

/* The value of an answer's header, valid until the transfer is freed; NULL for none. */
static inline const char *hub_curl_header(CURL *transfer, const char *name) {
    struct curl_header *header = NULL;
    return curl_easy_header(transfer, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

/* OpenSSL's reason for refusing the server's certificate (X509_V_ERR_…); 0 for none. */
static inline long hub_curl_verification(CURL *transfer) {
    long reason = 0;
    return curl_easy_getinfo(transfer, CURLINFO_SSL_VERIFYRESULT, &reason) == CURLE_OK ? reason : 0;
}

/* The A-label form of a host name in UTF-8 (IDNA 2008), to be freed by curl_free; NULL where libcurl cannot give it.
   libidn2 reads the name in the encoding of the thread's locale, which in a server is ASCII. */
static inline char *hub_curl_ascii_host(const char *host) {
    char *ascii = NULL;
#ifdef CURLU_PUNYCODE
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    CURLU *url = curl_url();
    if (utf8 && url) {
        locale_t before = uselocale(utf8);
        if (curl_url_set(url, CURLUPART_SCHEME, "https", 0) != CURLUE_OK ||
            curl_url_set(url, CURLUPART_HOST, host, 0) != CURLUE_OK ||
            curl_url_get(url, CURLUPART_HOST, &ascii, CURLU_PUNYCODE) != CURLUE_OK)
            ascii = NULL;
        uselocale(before);
    }
    curl_url_cleanup(url);
    if (utf8) freelocale(utf8);
#else
    (void)host;
#endif
    return ascii;
}

#endif
