// Heap calls of the whole program, libraries included: counters around glibc's functions. Include once.
#pragma once
#include <cerrno>
#include <cstddef>

namespace peers {

inline long heap_calls = 0;

}  // namespace peers

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) { return ++peers::heap_calls, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++peers::heap_calls, __libc_calloc(count, size); }
void* realloc(void* block, std::size_t size) { return ++peers::heap_calls, __libc_realloc(block, size); }
void* memalign(std::size_t alignment, std::size_t size) {
  return ++peers::heap_calls, __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
