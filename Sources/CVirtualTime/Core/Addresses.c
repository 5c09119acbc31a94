#include "Core/Internal.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

// Memory and code by their addresses.

bool cvt_is_in_library(uint64_t address, const char *name) {
  Dl_info info;
  return dladdr((void *)(uintptr_t)address, &info) && info.dli_fname && strstr(info.dli_fname, name);
}

#if defined(__linux__)

#include <link.h>
#include <sys/uio.h>

// The linker defines where the section begins and ends.
extern const char __start_escapement_c[] __attribute__((visibility("hidden")));
extern const char __stop_escapement_c[] __attribute__((visibility("hidden")));

bool cvt_is_own(uint64_t address) {
  return address >= (uintptr_t)__start_escapement_c && address < (uintptr_t)__stop_escapement_c;
}

uintptr_t cvt_code_size(uintptr_t function, uintptr_t guess) {
  Dl_info info;
  const ElfW(Sym) *symbol = 0;
  bool is_known = dladdr1((void *)function, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
                  info.dli_saddr == (void *)function && symbol->st_size;
  return is_known ? symbol->st_size : guess;
}

bool cvt_copy_memory(const void *from, void *to, size_t size) {
  struct iovec source = {(void *)from, size}, target = {to, size};
  return process_vm_readv(getpid(), &target, 1, &source, 1, 0) == (ssize_t)size;
}

#else

bool cvt_is_own(uint64_t address) { return false; }
bool cvt_copy_memory(const void *from, void *to, size_t size) { return false; }

#endif
