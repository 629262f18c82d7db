#!/usr/bin/env python3
"""Generates the documentation as static pages: toolchains/make_documentation.py [--quick] [--install] [folder]

Writes build/documentation/index.html (or to the folder): every Markdown page of the source tree, the examples with their sources,
figures, outputs and reports (the examples are built and run), and the reference of all public names. Needs cmark-gfm; --install
installs it and Doxygen if they are missing (Debian). --quick omits the runs and the reference. All links between the pages are
checked at the end; a dead link is an error.
"""
import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
assets = root / "toolchains/documentation.d"
options = [word for word in sys.argv[1:] if word.startswith("--")]
folders = [word for word in sys.argv[1:] if not word.startswith("--")]
if set(options) - {"--quick", "--install"} or len(folders) > 1:
    sys.exit(__doc__)
quick = "--quick" in options
out = pathlib.Path(folders[0]).resolve() if folders else root / "build/documentation"
if out == root or root in out.parents and root / "build" not in out.parents:
    sys.exit(f"documentation: {out} is in the source tree, and would be emptied")

# Chapters in reading order. A missing one is reported as a dead link.
CHAPTERS = (
    ("First steps", "README.md"),
    ("Modelling", "lib/MODELLING.md"),
    ("Model interface", "lib/MODEL.md"),
    ("Parts of a mechanism", "lib/PARTS.md"),
    ("Choosing a step", "lib/STEP.md"),
    ("Status of a step", "lib/STATUS.md"),
    ("From host to controller", "ports/CONTROLLER.md"),
    ("Your own project on a board", "ports/OWN_PROJECT.md"),
    ("Report of a run", "ports/workstation/REPORT.md"),
    ("Parameter studies", "ports/workstation/STUDIES.md"),
    ("Identification", "ports/workstation/IDENTIFICATION.md"),
    ("C interface and FMU", "ports/bench/README.md"),
    ("XCP", "ports/bench/XCP.md"),
    ("Real time on Linux", "ports/workstation/REAL_TIME.md"),
    ("Playground in the browser", "ports/playground/README.md"),
    ("Live view of a running program", "ports/live/README.md"),
    ("STM32F405 on a serial line", "ports/stm32f405/README.md"),
    ("Walk through a step", "lib/README.md"),
    ("Design decisions", "lib/DESIGN.md"),
    ("Notation", "lib/NOTATION.md"),
    ("Ports", "ports/README.md"),
    ("Tests", "tests/README.md"),
    ("Cost of a step", "tests/benchmarks/TIMING.md"),
    ("Changes", "CHANGELOG.md"),
)
PAGE = (assets / "page.html").read_text()
TEXTS = {".cpp", ".csv", ".hpp", ".h", ".c", ".in", ".py", ".gp", ".cmake", ".cff", ".txt", ".sh", ".m", ".lua", ".dox", ".xml", ".js", ".css", ".json", ".ld", ""}
PICTURES = {".svg", ".png"}


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **more)
    if done.returncode != 0:
        sys.exit(f"documentation: {' '.join(str(word) for word in command)} failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def relative(target, page):
    """Returns the link from a page to a target, both relative to the folder of the documentation."""
    return os.path.relpath(target, pathlib.PurePosixPath(page).parent)


def slug(heading):
    """Returns GitHub's anchor of a heading."""
    text = html.unescape(re.sub(r"<[^>]+>", "", heading)).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def page_of(path):
    """Returns the path of a file or folder of the source tree in the documentation."""
    if path == pathlib.PurePosixPath("README.md"):
        return "index.html"
    if (root / path).is_dir():
        return page_of(path / "README.md") if (root / path / "README.md").exists() else f"{path}/index.html"
    if path.suffix in PICTURES | {".html"}:
        return str(path)
    return str(path.with_suffix(".html") if path.suffix == ".md" else f"{path}.html")


class Site:
    def __init__(self):
        self.wanted = []  # files and folders of the source tree that pages lead to
        self.navigation = []  # headline, [(title, page)]
        self.sections = []  # of all pages, for the search: page, anchor, title, heading, text

    def link(self, target, source):
        """Returns a link of a source page, converted for the documentation."""
        if re.match(r"[a-z]+:|#|$", target):
            return target
        path, _, anchor = target.partition("#")
        file = pathlib.PurePosixPath(os.path.normpath(pathlib.PurePosixPath(source).parent / path))
        if not (root / file).exists():
            return target  # dead, and found to be so in the end
        if file not in self.wanted:
            self.wanted.append(file)
        return relative(page_of(file), page_of(pathlib.PurePosixPath(source))) + (f"#{anchor}" if anchor else "")

    def write(self, page, title, body):
        entries = []
        for headline, links in self.navigation:
            entries.append(f"<h2>{headline}</h2><ul>")
            for name, target in links:
                here = ' aria-current="page"' if target == page else ""
                entries.append(f'<li><a href="{relative(target, page)}"{here}>{html.escape(name)}</a></li>')
            entries.append("</ul>")
        place = out / page
        place.parent.mkdir(parents=True, exist_ok=True)
        home = relative("index.html", page)
        values = {"title": html.escape(title), "home": home, "folder": home.removesuffix("index.html"),
                  "style": relative("style.css", page), "navigation": "\n".join(entries), "body": body}
        self.index(page, title, body)
        place.write_text(re.sub(r"@(\w+)@", lambda m: values[m[1]], PAGE))

    def index(self, page, title, body):
        """Adds the sections of a page to the index of the search. A source listing is one section: its first comment."""
        body = re.sub(r"<h2>[^<]*</h2><pre><code>.*", "", body, flags=re.S) if page.endswith((".cpp.html", ".hpp.html")) else body
        parts = re.split(r'<h[1-6](?: id="([^"]*)")?>(.*?)</h[1-6]>', body, flags=re.S)
        plain = lambda text: " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())
        for anchor, heading, text in zip([None, *parts[1::3]], ["", *parts[2::3]], parts[0::3]):
            if words := plain(text):
                self.sections.append([page, anchor or "", title, plain(heading), words[:4000].lower()])

    def write_index(self):
        data = json.dumps(self.sections, ensure_ascii=False, separators=(",", ":"))
        (out / "search-index.js").write_text(f"window.searchIndex = {data};\n")

    def markdown(self, source):
        text = run("cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", root / source)
        text = re.sub(r'<a href="\.\./\.\./actions/[^"]*">.*?</a>', "", text)  # badges exist on the repository's site only
        seen = {}

        def heading(match):
            name = slug(match[2])
            seen[name] = seen.get(name, -1) + 1
            name += f"-{seen[name]}" if seen[name] else ""
            return f'<h{match[1]} id="{name}">{match[2]}</h{match[1]}>'

        text = re.sub(r"<h([1-6])>(.*?)</h\1>", heading, text)
        text = re.sub(r'\b(href|src|srcset)="([^"]*)"', lambda m: f'{m[1]}="{html.escape(self.link(html.unescape(m[2]), source))}"', text)
        text = re.sub(r"<table>.*?</table>", lambda m: f'<div class="wide">{m[0]}</div>', text, flags=re.S)
        return re.sub(r'<pre lang="(\w+)"><code>(.*?)</code></pre>', lambda m: f"<pre><code>{coloured(m[2], m[1])}</code></pre>", text, flags=re.S)

    def page(self, source):
        text = self.markdown(source)
        title = re.search(r"<h1[^>]*>(.*?)</h1>", text)
        self.write(page_of(pathlib.PurePosixPath(source)), html.unescape(re.sub("<[^>]+>", "", title[1])) if title else source, text)

    def listing(self, file, before="", after=""):
        """Writes a file of the source tree as a page, or the list of a folder."""
        page = page_of(file)
        if (root / file).is_dir():
            names = sorted(path for path in (root / file).iterdir() if not path.name.startswith("."))
            links = "".join(f'<li><a href="{self.link(path.name, file / "index")}">{path.name}</a></li>' for path in names)
            self.write(page, f"{file}/", f"<h1>{file}/</h1><ul>{links}</ul>")
            return
        text = html.escape((root / file).read_text(errors="replace"))
        self.write(page, file.name, f"<h1>{before or file}</h1>{after}<pre><code>{coloured(text, file.suffix[1:])}</code></pre>")


def coloured(code, language):
    """Returns escaped code with its comments marked up."""
    marker = "//" if language in ("cpp", "hpp", "h", "c", "js", "in") else "#" if language in ("py", "cmake", "gp", "sh", "") else None
    if not marker:
        return code
    return re.sub(rf"(?m)(^|\s)({marker}.*)$", r"\1<i>\2</i>", code)


class Examples:
    """The numbered examples: builds and runs them, keeps their output, draws their figures."""

    def __init__(self):
        self.sources = sorted((root / "examples").glob("[0-9][0-9]_*.cpp"))
        self.output = {}
        self.tables = out / "runs"

    def run_all(self):
        build = root / "build/examples-host"
        run("cmake", "--preset", "host", "-DMOREAU_TESTS=OFF", "-B", build, cwd=root)
        run("cmake", "--build", build, "--target", *(source.stem for source in self.sources), cwd=root)
        self.tables.mkdir(parents=True)
        started = {s.stem: subprocess.Popen([build / "examples" / s.stem], cwd=self.tables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                   for s in self.sources}
        for name, process in started.items():
            self.output[name] = process.communicate()[0]
            if process.returncode != 0:
                sys.exit(f"documentation: example {name} failed\n{self.output[name][-2000:]}")
        run(root / "examples/figures/draw_figures.sh", self.tables, out / "figures", *(f for s in self.sources for f in self.figures(s.stem)))
        if pathlib.Path("/usr/include/wasm32-wasi/c++/v1/array").exists():
            run("cmake", "--build", build, "--target", "playgrounds", cwd=root)
            (out / "playgrounds").mkdir()
            for page in sorted((build / "examples/playgrounds").glob("*.html")):
                shutil.copy(page, out / "playgrounds" / page.name.removeprefix("playground_"))
        if (self.tables / "pages").exists():
            shutil.move(self.tables / "pages", out / "reports")
        shutil.rmtree(self.tables)

    @staticmethod
    def figures(name):
        return sorted(path.stem for path in (root / "examples/figures").glob("*.gp") if f"# data: {name}\n" in path.read_text())

    @staticmethod
    def says(source):
        """Returns the opening comment of an example."""
        words = []
        for line in source.read_text().splitlines():
            if not line.startswith("//") or line.startswith(("// Runs on", "// Instruction time")):
                break
            words.append(line[2:].strip())
        return " ".join(words)

    def pictures(self, name, page):
        parts = []
        for report in sorted((out / "reports").glob(f"{name}*.html")):
            which = report.stem[len(name):].replace("_", " ")
            parts.append(f'<p><a href="{relative(f"reports/{report.name}", page)}">Report of this run{which}: animation with magnified gaps</a></p>')
        for figure in self.figures(name):
            if (out / f"figures/{figure}.svg").exists():
                script = pathlib.PurePosixPath(f"examples/figures/{figure}.gp")
                site.wanted.append(script)
                parts.append(f'<p><img src="{relative(f"figures/{figure}.svg", page)}" alt="{figure.replace("_", " ")}" loading="lazy"><br>'
                             f'<a href="{relative(page_of(script), page)}">drawn by gnuplot</a></p>')
        return "".join(parts)

    def write(self):
        for source in self.sources:
            file = pathlib.PurePosixPath(source.relative_to(root))
            before = self.pictures(source.stem, page_of(file))
            if source.stem in self.output:
                before += f"<h2>Output</h2><pre>{html.escape(self.output[source.stem])}</pre>"
            site.listing(file, f"Example {source.stem[:2]}", f"<p>{html.escape(self.says(source))}</p>{before}<h2>{file}</h2>")

    def gallery(self):
        parts = ["<h1>Gallery</h1><p>Figures and reports of the examples. A report shows the mechanism in motion.</p>"]
        for source in self.sources:
            if pictures := self.pictures(source.stem, "gallery.html"):
                target = page_of(pathlib.PurePosixPath(source.relative_to(root)))
                parts.append(f'<h2><a href="{target}">{source.stem.replace("_", " ")}</a></h2><p>{html.escape(self.says(source))}</p>{pictures}')
        if playgrounds := sorted((out / "playgrounds").glob("*.html")):
            parts.append("<h2>Playgrounds</h2><p>Machines in the browser, with adjustable parameters.</p><ul>" + "".join(
                f'<li><a href="playgrounds/{page.name}">{page.stem.replace("_", " ")}</a></li>' for page in playgrounds) + "</ul>")
        if len(parts) == 1:
            parts.append("<p>This quick build contains no figures. <code>toolchains/make_documentation.py</code> without "
                         "<code>--quick</code> runs the examples and draws them.</p>")
        site.write("gallery.html", "Gallery", "".join(parts))


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "srcset") and value is not None:
                self.targets.append(value)
            elif name in ("id", "name") and value:
                self.names.add(value)


def dead_links():
    pages = {}
    for page in out.rglob("*.html"):
        if page.relative_to(out).parts[0] not in ("reference", "reports"):
            pages[page] = Links()
            pages[page].feed(page.read_text())
    dead, count = [], 0
    for page, links in pages.items():
        for target in links.targets:
            if re.match(r"https?:|mailto:", target):
                continue
            count += 1
            path, _, anchor = target.partition("#")
            place = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
            if not place.is_file() or anchor and place in pages and anchor not in pages[place].names:
                dead.append(f"{page.relative_to(out)}: nothing at {target}")
    return dead, count, len(pages)


if "--install" in options:
    subprocess.run([root / "toolchains/setup", "documentation"], check=True)
if not shutil.which("cmark-gfm"):
    print("documentation: cmark-gfm is missing; run toolchains/make_documentation.py --install", file=sys.stderr)
    sys.exit(77)
if out.exists() and any(out.iterdir()) and not (out / "style.css").exists():
    sys.exit(f"documentation: {out} contains other files")
shutil.rmtree(out, ignore_errors=True)
out.mkdir(parents=True)
for name in ("style.css", "search.js"):
    shutil.copy(assets / name, out / name)

site, examples = Site(), Examples()
if not quick:
    examples.run_all()
    run(root / "toolchains/make_reference.sh", out / "doxygen")
    shutil.move(out / "doxygen/html", out / "reference")
    shutil.rmtree(out / "doxygen")
site.navigation.append(("Read", [(title, page_of(pathlib.PurePosixPath(path))) for title, path in CHAPTERS]))
names = [(source.stem.replace("_", " "), page_of(pathlib.PurePosixPath(source.relative_to(root)))) for source in examples.sources]
site.navigation.append(("Examples", [("All examples", "examples/README.html"), *names]))
more = [("Gallery", "gallery.html")] + ([("All public names", "reference/index.html")] if (out / "reference").exists() else [])
site.navigation.append(("Look up", more))

hidden = {"build", ".deps", ".git"}
for path in sorted(root.rglob("*.md")):
    source = path.relative_to(root)
    if source.parts[0] not in hidden:
        site.page(str(source))
examples.write()
examples.gallery()
done = set()
for file in site.wanted:  # grows while folders are listed
    page = out / page_of(file)
    if file in done or page.exists():
        continue
    done.add(file)
    if file.suffix in PICTURES | {".html"} and (root / file).is_file():
        page.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / file, page)
    elif (root / file).is_dir() or file.suffix in TEXTS:
        site.listing(file)

site.write_index()
dead, links, pages = dead_links()
print("\n".join(dead))
print(f"documentation: {out}/index.html, {pages} pages, {links} links, {len(dead)} dead links")
sys.exit(1 if dead or pages < 40 else 0)
