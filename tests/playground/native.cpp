// Hash of the steps of a bench by the library itself: native <steps>.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <moreau/playground/module.hpp>

#include BENCH_FILE

int main(int count, char** words) {
  const auto module = std::make_unique<moreau::playground::Module<BENCH_STRUCT>>();
  std::printf("%u\n", module->hash_of_steps(count > 1 ? std::atoi(words[1]) : 1000));
}
