// Objects in a fixed number of places: what an FMU has instead of a heap.
//
// A place is taken by one exchange of an atomic flag, so instances may come and go in several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <type_traits>

namespace moreau::bench {

template <class T, int places>
class Pool {
 public:
  // A new object, or null where every place is taken.
  template <class... X>
  T* take(const X&... x) {
    for (int i = 0; i < places; ++i)
      if (!taken_[i].exchange(true)) return new (memory_[i]) T(x...);
    return nullptr;
  }
  // The object at that address, or null: nothing is read where no object is.
  T* find(const void* address) {
    for (int i = 0; i < places; ++i)
      if (address == memory_[i] && taken_[i].load()) return std::launder(reinterpret_cast<T*>(memory_[i]));
    return nullptr;
  }
  void give_back(T* object) {
    static_assert(std::is_trivially_destructible_v<T>, "a place is left as it is");
    for (int i = 0; i < places; ++i)
      if (static_cast<void*>(object) == memory_[i]) taken_[i].store(false);
  }

 private:
  alignas(T) unsigned char memory_[places][sizeof(T)];
  std::atomic<bool> taken_[places] = {};
};

}  // namespace moreau::bench
