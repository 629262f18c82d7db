// Program moreau_report PAGE.html RUN.json [RUN.json]: generates the page of a run written by Report::keep, or of two
// runs side by side, such as variants or a run and its reference.
#include <cstdio>
#include <moreau/workstation/page.hpp>

int main(int count, char** words) {
  using namespace moreau::workstation;
  if (count < 3 || count > 4) {
    std::fprintf(stderr, "moreau_report PAGE.html RUN.json [RUN.json]\n");
    return 2;
  }
  std::vector<std::string> runs;
  for (int i = 2; i < count; ++i) {
    runs.emplace_back();
    const Written read = read_run(words[i], runs.back());
    if (!read.ok) {
      std::fprintf(stderr, "moreau_report: %s\n", read.why.c_str());
      return 1;
    }
  }
  const Written written = write_page(words[1], std::filesystem::path(words[1]).stem().string(), runs);
  if (!written.ok) std::fprintf(stderr, "moreau_report: %s\n", written.why.c_str());
  return written.ok ? 0 : 1;
}
