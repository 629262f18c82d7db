// Fixed number of objects: the replacement for dynamic allocation in an FMU.
//
// An atomic exchange of a flag reserves a place, so several threads may create and destroy instances.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <type_traits>

namespace moreau::bench {

template <class T, int places>
class Pool {
 public:
  // Returns a new object, or null if all places are taken.
  template <class... X>
  T* take(const X&... x) {
    for (int i = 0; i < places; ++i)
      if (!taken_[i].exchange(true)) return new (memory_[i]) T(x...);
    return nullptr;
  }
  // Returns the object at the address, or null. Does not read memory outside the pool.
  T* find(const void* address) {
    for (int i = 0; i < places; ++i)
      if (address == memory_[i] && taken_[i].load()) return std::launder(reinterpret_cast<T*>(memory_[i]));
    return nullptr;
  }
  void give_back(T* object) {
    static_assert(std::is_trivially_destructible_v<T>, "the objects of a pool are never destroyed");
    for (int i = 0; i < places; ++i)
      if (static_cast<void*>(object) == memory_[i]) taken_[i].store(false);
  }

 private:
  alignas(T) unsigned char memory_[places][sizeof(T)];
  std::atomic<bool> taken_[places] = {};
};

}  // namespace moreau::bench
