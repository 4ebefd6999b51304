/*
 * A fault layer between a process and its files: preloaded, it stands in front of the C library's file functions.
 *
 * Only files in the directory MNEMON_SHIM_DIRECTORY are watched. The environment says what happens to them:
 *
 *   MNEMON_SHIM_FAULT   CLASS:N:KIND: the N-th operation (from 1) of the class fails.
 *                       CLASS: open read write sync truncate lock unlink
 *                       KIND:  eio enospc emfile eagain eintr: it fails with this error, and does nothing
 *                              torn: half of a write is done, and it fails with EIO
 *                              short: half of a read or write is done, as its result says
 *                              full: a short write, then ENOSPC for every write
 *                       A '+' after the kind: so do all later operations of the class, or as many as the number after it.
 *   MNEMON_SHIM_TRACE   a file to which every operation is appended as a struct event, with its bytes.
 *
 * Nothing is really synced: a sync is an event of the trace, which costs no time. The file "journal-of-the-test" in the
 * directory is the test's own: it never fails, what is written to it becomes an event of the trace, and a line "fault" is
 * appended to it when an operation fails.
 *
 * A rename by a direct system call is not seen. It shows in the list of names that a sync of the directory writes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>

#include "trace.h"

#define MAX_FDS 1024

/* What a descriptor is: 0 nothing of ours, else a file's number, or one of these. */
enum { DIRECTORY = -1, OWN = -2 };

static int descriptors[MAX_FDS];
static size_t directory_length;
static struct { int class; long number, last; char kind[16]; } fault;
static long counts[256];
static int is_full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fcntl)(int, int, ...);
static int (*real_unlink)(const char *);

static int class_of(const char *name) {
    static const struct { const char *name; int class; } classes[] = {
        {"open", OPEN},         {"read", READ}, {"write", WRITE},   {"sync", SYNC},
        {"truncate", TRUNCATE}, {"lock", LOCK}, {"unlink", UNLINK},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, name) == 0) return classes[i].class;
    give_up("an unknown class in MNEMON_SHIM_FAULT");
    return 0;
}

static void read_fault(const char *text) {
    char class[16];
    if (sscanf(text, "%15[a-z]:%ld:%15[a-z0-9+]", class, &fault.number, fault.kind) != 3)
        give_up("a malformed MNEMON_SHIM_FAULT");
    fault.class = class_of(class);
    fault.last = fault.number;
    char *plus = strchr(fault.kind, '+');
    if (!plus) return;
    fault.last = plus[1] ? fault.number + atol(plus + 1) : LONG_MAX;
    *plus = 0;
}

__attribute__((constructor)) static void start(void) {
    real_open = dlsym(RTLD_NEXT, "open64");
    real_close = dlsym(RTLD_NEXT, "close");
    real_read = dlsym(RTLD_NEXT, "read");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fcntl = dlsym(RTLD_NEXT, "fcntl64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    const char *where = getenv("MNEMON_SHIM_DIRECTORY"), *what = getenv("MNEMON_SHIM_FAULT");
    const char *trace_path = getenv("MNEMON_SHIM_TRACE");
    if (!where) return;
    directory_length = strlen(where);
    if (directory_length >= sizeof directory) give_up("a path that is too long");
    memcpy(directory, where, directory_length);
    if (what) read_fault(what);
    if (trace_path) {
        trace = real_open(trace_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (trace < 0) give_up("no trace can be written");
    }
}

/* The name of a file in the directory; "" for the directory itself, NULL for any other path. */
static const char *name_of(const char *path) {
    if (!directory_length || strncmp(path, directory, directory_length) != 0) return NULL;
    if (path[directory_length] == 0) return "";
    return path[directory_length] == '/' ? path + directory_length + 1 : NULL;
}

static void say_fault(void) {
    char path[sizeof directory + sizeof OWN_FILE + 2];
    snprintf(path, sizeof path, "%s/%s", directory, OWN_FILE);
    int fd = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || real_write(fd, "fault\n", 6) != 6) give_up("the fault cannot be told");
    real_close(fd);
}

/* Counts the operation; returns the kind of its failure, or NULL. */
static const char *count(int class) {
    long number = ++counts[class];
    if (class == WRITE && is_full) return "enospc";
    if (class != fault.class || number < fault.number || number > fault.last) return NULL;
    if (number == fault.number) say_fault();
    if (strcmp(fault.kind, "full") == 0) {
        is_full = 1;
        return "short";
    }
    return fault.kind;
}

static int refuse(const char *kind) {
    static const struct { const char *kind; int error; } errors[] = {
        {"eio", EIO},       {"torn", EIO},     {"enospc", ENOSPC},
        {"emfile", EMFILE}, {"eagain", EAGAIN}, {"eintr", EINTR},
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(errors[i].kind, kind) == 0) {
            errno = errors[i].error;
            return -1;
        }
    give_up("an unknown kind in MNEMON_SHIM_FAULT");
    return -1;
}

/* What the descriptor is; the mutex is held then, unless it is 0. */
static int claim(int fd) {
    if (fd < 0 || fd >= MAX_FDS || !descriptors[fd]) return 0;
    pthread_mutex_lock(&mutex);
    return descriptors[fd];
}

/* The same for a file that may fail: the mutex is held only if this is not 0. */
static int claim_file(int fd) {
    int what = claim(fd);
    if (what >= 0) return what;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void release(void) {
    int error = errno;
    pthread_mutex_unlock(&mutex);
    errno = error;
}

static int open_watched(const char *path, const char *name, int flags, mode_t mode) {
    int is_own = strcmp(name, OWN_FILE) == 0, is_directory = *name == 0;
    const char *kind = is_own || is_directory ? NULL : count(OPEN);
    int fd = kind ? refuse(kind) : real_open(path, flags, mode);
    if (fd < 0) {
        int error = errno;
        append(OPEN, 1, 0, 0, NULL, 0);
        errno = error;
        return fd;
    }
    if ((flags & O_TRUNC) && !is_own) give_up("a file is truncated as it is opened");
    if (fd >= MAX_FDS) give_up("too many descriptors");
    if (is_own || is_directory) {
        descriptors[fd] = is_own ? OWN : DIRECTORY;
        return fd;
    }
    struct stat64 status;
    if (fstat64(fd, &status) != 0) give_up("a file without a status");
    descriptors[fd] = file_number(&status);
    append(OPEN, 0, descriptors[fd], 0, name, strlen(name));
    return fd;
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    /* A library may open files before this one has started. */
    if (!real_open) start();
    const char *name = name_of(path);
    if (!name) return real_open(path, flags, mode);
    pthread_mutex_lock(&mutex);
    int fd = open_watched(path, name, flags, mode);
    release();
    return fd;
}

int open(const char *path, int flags, ...) __attribute__((alias("open64")));

int close(int fd) {
    if (claim(fd)) {
        descriptors[fd] = 0;
        release();
    }
    return real_close(fd);
}

static ssize_t read_watched(int fd, void *bytes, size_t length, off64_t offset, int is_positioned) {
    const char *kind = count(READ);
    append(READ, kind != NULL, descriptors[fd], 0, NULL, 0);
    if (kind && strcmp(kind, "short") == 0) length = (length + 1) / 2;
    else if (kind) return refuse(kind);
    return is_positioned ? real_pread(fd, bytes, length, offset) : real_read(fd, bytes, length);
}

ssize_t read(int fd, void *bytes, size_t length) {
    if (!claim_file(fd)) return real_read(fd, bytes, length);
    ssize_t done = read_watched(fd, bytes, length, 0, 0);
    release();
    return done;
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
    if (!claim_file(fd)) return real_pread(fd, bytes, length, offset);
    ssize_t done = read_watched(fd, bytes, length, offset, 1);
    release();
    return done;
}

static ssize_t write_watched(int fd, const void *bytes, size_t length, off64_t offset, int is_positioned) {
    int is_own = descriptors[fd] == OWN;
    const char *kind = is_own ? NULL : count(WRITE);
    int is_torn = kind && strcmp(kind, "torn") == 0;
    if (is_torn) length /= 2;
    else if (kind && strcmp(kind, "short") == 0) length = (length + 1) / 2;
    else if (kind) return refuse(kind);
    ssize_t done = length == 0 ? 0 : is_positioned ? real_pwrite(fd, bytes, length, offset) : real_write(fd, bytes, length);
    if (done > 0) append(is_own ? SAID : WRITE, 0, is_own ? 0 : descriptors[fd], offset, bytes, done);
    return is_torn ? refuse(kind) : done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    int what = claim(fd);
    if (!what) return real_write(fd, bytes, length);
    off64_t offset = what == OWN ? 0 : lseek64(fd, 0, SEEK_CUR);
    ssize_t done = write_watched(fd, bytes, length, offset, 0);
    release();
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    if (!claim(fd)) return real_pwrite(fd, bytes, length, offset);
    ssize_t done = write_watched(fd, bytes, length, offset, 1);
    release();
    return done;
}

ssize_t pread(int, void *, size_t, off_t) __attribute__((alias("pread64")));
ssize_t pwrite(int, const void *, size_t, off_t) __attribute__((alias("pwrite64")));

int fsync(int fd) {
    int what = claim(fd);
    if (!what) return real_fsync(fd);
    const char *kind = count(SYNC);
    if (what == DIRECTORY) append_names(kind != NULL);
    else append(SYNC, kind != NULL, what, 0, NULL, 0);
    int result = kind ? refuse(kind) : 0;
    release();
    return result;
}

int fdatasync(int) __attribute__((alias("fsync")));

int ftruncate64(int fd, off64_t length) {
    int what = claim(fd);
    if (!what) return real_ftruncate(fd, length);
    const char *kind = count(TRUNCATE);
    int result = kind ? refuse(kind) : real_ftruncate(fd, length);
    append(TRUNCATE, result != 0, what, length, NULL, 0);
    release();
    return result;
}

int ftruncate(int, off_t) __attribute__((alias("ftruncate64")));

/* Whether a lock can be had by another process: not one that this process gives up in part, nor a question. */
static int is_contended(int fd, int command, const struct flock *lock) {
    static char is_exclusive[MAX_FDS];
    int is_range = lock->l_len > 1;
    int is_downgrade = is_range && lock->l_type == F_RDLCK && is_exclusive[fd];
    if (is_range || lock->l_len == 0) is_exclusive[fd] = lock->l_type == F_WRLCK;
    return command != F_GETLK && !is_downgrade;
}

static int lock_watched(int fd, int command, struct flock *lock) {
    int may_be_taken = is_contended(fd, command, lock);
    if (lock->l_type == F_UNLCK) return real_fcntl(fd, command, lock);
    const char *kind = count(LOCK);
    append(LOCK, kind != NULL, descriptors[fd], 0, NULL, 0);
    if (kind && strcmp(kind, "eagain") == 0 && !may_be_taken) kind = NULL;
    return kind ? refuse(kind) : real_fcntl(fd, command, lock);
}

/* Locks are counted as they are taken and asked for. Giving one back does not fail. */
int fcntl64(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    int is_lock = command == F_SETLK || command == F_GETLK || command == F_SETLKW;
    if (!is_lock || !claim_file(fd)) return real_fcntl(fd, command, argument);
    int result = lock_watched(fd, command, argument);
    release();
    return result;
}

int fcntl(int, int, ...) __attribute__((alias("fcntl64")));

static int unlink_watched(const char *path, const char *name) {
    const char *kind = count(UNLINK);
    struct stat64 status;
    int file = stat64(path, &status) == 0 ? file_number(&status) : 0;
    int result = kind ? refuse(kind) : real_unlink(path);
    int error = errno;
    append(UNLINK, result != 0, file, 0, name, strlen(name));
    if (result == 0 && status.st_nlink == 1) files[file - 1].is_linked = 0;
    errno = error;
    return result;
}

int unlink(const char *path) {
    const char *name = name_of(path);
    if (!name || !*name || strcmp(name, OWN_FILE) == 0) return real_unlink(path);
    pthread_mutex_lock(&mutex);
    int result = unlink_watched(path, name);
    release();
    return result;
}
