#ifndef HUB_CSQLite_SHIM_H
#define HUB_CSQLite_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import: the library takes a copy.
static inline int hub_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes) {
    return sqlite3_bind_text64(statement, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int hub_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *blob, sqlite3_uint64 bytes) {
    return sqlite3_bind_blob64(statement, index, blob, bytes, SQLITE_TRANSIENT);
}

// What the system last said to a write of the database's file or its log: sqlite3_system_errno has forgotten it by the time
// that a commit has failed, and of a write it tells "full" from "broken" for ENOSPC alone.
static inline int hub_sqlite3_write_errno(sqlite3 *connection) {
    sqlite3_file *log = 0;
    int error = 0;
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    if (error == 0 && sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK &&
        log != 0 && log->pMethods != 0) {
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
    }
    return error;
}

#endif
