// Stands between a program and its disk: loaded into it, it sees every system call that changes a file under a folder.
// It writes down what was done, in the order it was done, and makes syncs fail when it is told to.
//
// Bun makes some of these calls through libc and some directly, so replacing libc's functions (LD_PRELOAD) would miss
// half of them. Instead a seccomp filter turns each call into a SIGSYS, and the handler makes it: the filter lets calls
// pass only from the one `syscall` instruction below. A program started from the recorded one would inherit the filter
// without the handler and die. Linux on x86-64 only.
//
// A record is { char kind; char unused[7]; int64 inode, offset, path length, data length } and then path and data:
//   W a write   T a new length (offset)   S a sync   C a file made   M a folder made   R a rename (data: new path)
//   U a name removed   A what the program told somebody (data: JSON)   X something this does not understand

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define PATH_BYTES 4096
#define PIECES_MAX 64

long recorder_call(long number, long a, long b, long c, long d, long e, long f);
extern const char recorder_call_made[];
__asm__(".text\n.globl recorder_call\n.hidden recorder_call\n.globl recorder_call_made\n.hidden recorder_call_made\n"
        "recorder_call:\n"
        "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n  mov %r8, %r10\n  mov %r9, %r8\n"
        "  mov 8(%rsp), %r9\n  syscall\n"
        "recorder_call_made:\n  ret\n");
#define CALL(number, a, b, c, d) recorder_call(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static char folder[PATH_BYTES];
static size_t folder_length;
static int record_file = -1;
/** Shared with whoever started the program: how many of the next syncs are to fail. */
static volatile int32_t *syncs_to_fail;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

struct record {
  char kind;
  char unused[7];
  int64_t inode, offset, path_length, data_length;
};

static void record(char kind, int64_t inode, int64_t offset, const char *path, const struct iovec *data, int pieces) {
  if (record_file < 0) return;
  struct record head = {.kind = kind, .inode = inode, .offset = offset, .path_length = strlen(path)};
  struct iovec all[PIECES_MAX + 2] = {{&head, sizeof head}, {(void *)path, head.path_length}};
  for (int at = 0; at < pieces; at++) {
    head.data_length += data[at].iov_len;
    all[at + 2] = data[at];
  }
  CALL(SYS_writev, record_file, all, pieces + 2, 0);
}

static void record_path(char kind, int64_t inode, const char *path) { record(kind, inode, 0, path, NULL, 0); }

static int is_ours(const char *path) {
  return strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || path[folder_length] == 0);
}

/** The path of what is open, and whether it lies in our folder. A removed file keeps none. */
static int path_of_open(int file, char *path) {
  char link[64] = "/proc/self/fd/";
  size_t end = strlen(link);
  char digits[16];
  int count = 0;
  for (unsigned left = file; left > 0 || count == 0; left /= 10) digits[count++] = '0' + left % 10;
  while (count > 0) link[end++] = digits[--count];
  long length = CALL(SYS_readlink, link, path, PATH_BYTES - 1, 0);
  path[length > 0 ? length : 0] = 0;
  return is_ours(path);
}

/** The whole path of a name as a call gives it. */
static int path_named(int base, const char *name, char *path) {
  if (name[0] == '/') {
    strncpy(path, name, PATH_BYTES - 1);
    path[PATH_BYTES - 1] = 0;
    return is_ours(path);
  }
  if (base == AT_FDCWD) {
    if (CALL(SYS_getcwd, path, PATH_BYTES, 0, 0) < 0) return 0;
  } else {
    path_of_open(base, path);
  }
  size_t length = strlen(path);
  path[length] = '/';
  strncpy(path + length + 1, name, PATH_BYTES - length - 2);
  path[PATH_BYTES - 1] = 0;
  return is_ours(path);
}

static int64_t inode_named(const char *path) {
  struct stat found;
  return CALL(SYS_newfstatat, AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) == 0 ? (int64_t)found.st_ino : 0;
}

static int64_t inode_open(int file) {
  struct stat found;
  return CALL(SYS_fstat, file, &found, 0, 0) == 0 ? (int64_t)found.st_ino : 0;
}

static long do_open(long number, const long *a, int base, const char *name, int flags) {
  char path[PATH_BYTES];
  if (!path_named(base, name, path) || (flags & (O_CREAT | O_TRUNC)) == 0)
    return recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  int64_t before = inode_named(path);
  long file = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (file < 0) return file;
  // A file without a name (O_TMPFILE) would get one by a call we do not follow.
  if ((flags & O_TMPFILE) == O_TMPFILE) record_path('X', 0, path);
  else if (before == 0) record_path('C', inode_open(file), path);
  else if (flags & O_TRUNC) record_path('T', before, path);
  return file;
}

static long do_write(long number, const long *a, const struct iovec *data, int pieces, int64_t offset) {
  int file = a[0];
  char path[PATH_BYTES];
  if (!path_of_open(file, path)) return recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (pieces > PIECES_MAX) return -EINVAL;
  if (CALL(SYS_fcntl, file, F_GETFL, 0, 0) & O_APPEND) {
    struct stat found;
    CALL(SYS_fstat, file, &found, 0, 0);
    offset = found.st_size;
  } else if (offset < 0) {
    offset = CALL(SYS_lseek, file, 0, SEEK_CUR, 0);
  }
  long written = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (written <= 0) return written;
  struct iovec done[PIECES_MAX];
  int count = 0;
  for (long left = written; left > 0 && count < pieces; count++) {
    done[count] = data[count];
    if ((long)done[count].iov_len > left) done[count].iov_len = left;
    left -= done[count].iov_len;
  }
  record('W', inode_open(file), offset, path, done, count);
  return written;
}

static long do_sync(long number, const long *a) {
  char path[PATH_BYTES];
  int ours = path_of_open(a[0], path);
  if (ours && syncs_to_fail != NULL && *syncs_to_fail > 0) {
    (*syncs_to_fail)--;
    return -EIO;
  }
  long result = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (ours && result == 0) record_path('S', inode_open(a[0]), path);
  return result;
}

static long do_rename(long number, const long *a, int from_base, const char *from, int to_base, const char *to) {
  char old_path[PATH_BYTES], new_path[PATH_BYTES];
  int ours = path_named(from_base, from, old_path);
  ours |= path_named(to_base, to, new_path);
  long result = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (ours && result == 0) {
    struct iovec data = {new_path, strlen(new_path)};
    record('R', inode_named(new_path), 0, old_path, &data, 1);
  }
  return result;
}

static long do_named(char kind, long number, const long *a, int base, const char *name) {
  char path[PATH_BYTES];
  int ours = path_named(base, name, path);
  long result = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (ours && result == 0) record_path(kind, inode_named(path), path);
  return result;
}

static long do_resize(long number, const long *a) {
  char path[PATH_BYTES];
  int ours = path_of_open(a[0], path);
  long result = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (ours && result == 0) record('T', inode_open(a[0]), a[1], path, NULL, 0);
  return result;
}

/** Calls that this would have to understand, were they made on our files. */
static long do_strange(long number, const long *a, int file) {
  char path[PATH_BYTES];
  if (path_of_open(file, path)) record_path('X', number, path);
  return recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/** As the kernel takes it. */
struct signal_answer {
  void *handler;
  unsigned long flags;
  void *restorer;
  unsigned long blocked;
};

/** A handler that blocks SIGSYS would be killed by its first call. */
static long do_answer_signal(const long *a) {
  if (a[1] == 0) return CALL(SYS_rt_sigaction, a[0], a[1], a[2], a[3]);
  struct signal_answer answer = *(struct signal_answer *)a[1];
  answer.blocked &= ~(1UL << (SIGSYS - 1));
  return CALL(SYS_rt_sigaction, a[0], &answer, a[2], a[3]);
}

static long make_call(long number, const long *a) {
  struct iovec whole = {(void *)a[1], a[2]};
  switch (number) {
    case SYS_open: return do_open(number, a, AT_FDCWD, (const char *)a[0], a[1]);
    case SYS_openat: return do_open(number, a, a[0], (const char *)a[1], a[2]);
    case SYS_write: return do_write(number, a, &whole, 1, -1);
    case SYS_pwrite64: return do_write(number, a, &whole, 1, a[3]);
    case SYS_writev: return do_write(number, a, (const struct iovec *)a[1], a[2], -1);
    case SYS_pwritev: return do_write(number, a, (const struct iovec *)a[1], a[2], a[3]);
    case SYS_fsync:
    case SYS_fdatasync: return do_sync(number, a);
    case SYS_ftruncate: return do_resize(number, a);
    case SYS_rename: return do_rename(number, a, AT_FDCWD, (const char *)a[0], AT_FDCWD, (const char *)a[1]);
    case SYS_renameat:
    case SYS_renameat2: return do_rename(number, a, a[0], (const char *)a[1], a[2], (const char *)a[3]);
    case SYS_mkdir: return do_named('M', number, a, AT_FDCWD, (const char *)a[0]);
    case SYS_mkdirat: return do_named('M', number, a, a[0], (const char *)a[1]);
    case SYS_unlink:
    case SYS_rmdir: return do_named('U', number, a, AT_FDCWD, (const char *)a[0]);
    case SYS_unlinkat: return do_named('U', number, a, a[0], (const char *)a[1]);
    case SYS_fallocate:
    case SYS_pwritev2:
    case SYS_sendfile: return do_strange(number, a, a[0]);
    case SYS_copy_file_range:
    case SYS_splice: return do_strange(number, a, a[2]);
    // Writes that nobody would see; programs then do without.
    case SYS_io_uring_setup: return -ENOSYS;
    case SYS_rt_sigaction: return do_answer_signal(a);
  }
  return recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/** One call after the other, so that a sync never seems to cover a write that came while it ran. */
static void on_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  long number = registers[REG_RAX];
  long a[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
               registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  // Pipes and sockets may make the caller wait for another thread: those have no turn.
  char path[PATH_BYTES];
  int is_write = number == SYS_write || number == SYS_writev;
  if (is_write && !path_of_open(a[0], path)) {
    registers[REG_RAX] = recorder_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return;
  }
  pthread_mutex_lock(&turn);
  registers[REG_RAX] = make_call(number, a);
  pthread_mutex_unlock(&turn);
}

static const int SEEN[] = {
    SYS_open,   SYS_openat,    SYS_write,     SYS_pwrite64, SYS_writev,   SYS_pwritev,         SYS_pwritev2, SYS_fsync,
    SYS_rename, SYS_renameat,  SYS_renameat2, SYS_mkdir,    SYS_mkdirat,  SYS_unlink,          SYS_unlinkat, SYS_fdatasync,
    SYS_rmdir,  SYS_ftruncate, SYS_fallocate, SYS_sendfile, SYS_splice,   SYS_copy_file_range, SYS_io_uring_setup,
    SYS_rt_sigaction,
};
#define SEEN_COUNT (sizeof SEEN / sizeof SEEN[0])

static int watch_calls(void) {
  uintptr_t ours = (uintptr_t)recorder_call_made;
  struct sock_filter filter[8 + SEEN_COUNT] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ours, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)((uint64_t)ours >> 32), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  size_t length = 6;
  for (size_t at = 0; at < SEEN_COUNT; at++, length++)
    filter[length] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SEEN[at], SEEN_COUNT - at, 0);
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  struct sock_fprog program = {.len = length, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/** From now on, on every thread. 0 when it worked. */
int recorder_begin(const char *where, const char *log, const char *control) {
  strncpy(folder, where, PATH_BYTES - 1);
  folder_length = strlen(folder);
  record_file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  int control_file = open(control, O_RDWR | O_CLOEXEC);
  if (record_file < 0 || control_file < 0) return -1;
  void *page = mmap(NULL, sizeof(int32_t), PROT_READ | PROT_WRITE, MAP_SHARED, control_file, 0);
  if (page == MAP_FAILED) return -1;
  syncs_to_fail = page;
  // Bun has an answer of its own to SIGSYS, for sandboxes.
  struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_RESTART};
  // Another signal's handler, run inside ours, would be killed by its first call.
  sigfillset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, NULL) != 0) return -1;
  return watch_calls();
}

/** Called by the program at the moment it tells somebody that something is done. */
void recorder_told(const char *text, uint64_t length) {
  struct iovec data = {(void *)text, length};
  pthread_mutex_lock(&turn);
  record('A', 0, 0, "", &data, 1);
  pthread_mutex_unlock(&turn);
}
