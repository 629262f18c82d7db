"""Reads the output of objdump for Thumb code: code size, stack and cycle estimate of a step on a Cortex-M4.

Costs are the published ones of the Cortex-M4 (Technical Reference Manual 100166, instruction set and FPU timing tables) with
memory that never waits and a pipeline refill of 2 (it takes 1 to 3). An estimate for comparisons, not a bound.
"""
import bisect
import re
import subprocess

REFILL = 2
CONDITIONS = "eq ne cs hs cc lo mi pl vs vc hi ls ge lt gt le al".split()
CORE = {**{f"r{i}": f"r{i}" for i in range(13)}, "sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "sp": "sp", "lr": "lr", "pc": "pc"}


class Instruction:
    def __init__(self, address, size, mnemonic, operands, function):
        self.address, self.size, self.function = address, size, function
        self.name = mnemonic.split(".")[0]
        self.type = mnemonic[len(self.name):]
        self.operands = re.split(r"\s*[;@]", operands)[0].strip()
        self.target = None
        target = re.search(r"\b([0-9a-f]+) <", operands)
        if target and re.match(r"(b|bl|blx|cbn?z|b(%s))$" % "|".join(CONDITIONS), self.name):
            self.target = int(target.group(1), 16)


def disassemble(elf):
    listing = subprocess.run(["arm-none-eabi-objdump", "-d", elf], capture_output=True, text=True, check=True).stdout
    code, function = [], None
    for line in listing.splitlines():
        header = re.match(r"([0-9a-f]+) <(.+)>:$", line)
        if header:
            function = header.group(2)
            continue
        m = re.match(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{4,8} ?)+)\s*\t(\S+)(?:\t(.*))?$", line)
        if m and not m.group(3).startswith("."):
            code.append(Instruction(int(m.group(1), 16), len(m.group(2).replace(" ", "")) // 2, m.group(3), m.group(4) or "", function))
    return code


def symbols(elf):
    """Returns the functions as (address, size, name), sorted by address."""
    lines = subprocess.run(["arm-none-eabi-nm", "-S", "-n", elf], capture_output=True, text=True, check=True).stdout.splitlines()
    found = []
    for line in lines:
        f = line.split()
        if len(f) == 4 and f[2] in "tTwW":
            found.append((int(f[0], 16) & ~1, int(f[1], 16), f[3]))
    return sorted(found)


def call_graph(code, functions):
    """Code of a program. Sizes: address -> bytes, with constants in the code; bodies: address -> instructions; calls: address -> addresses."""
    sizes = {}
    for address, size, _ in functions:
        sizes.setdefault(address, size)
    order = sorted(sizes)

    def function_of(address):
        k = bisect.bisect_right(order, address) - 1
        return order[k] if k >= 0 else None
    bodies, calls = {}, {}
    for i in code:
        bodies.setdefault(function_of(i.address), []).append(i)
        if i.target is not None and function_of(i.address) != function_of(i.target):
            calls.setdefault(function_of(i.address), set()).add(function_of(i.target))
    return sizes, bodies, calls


def reached(code, functions, root):
    """Returns the function at address root and all direct and indirect callees: address -> bytes."""
    sizes, _, calls = call_graph(code, functions)
    seen, todo = {}, [root & ~1]
    while todo:
        f = todo.pop()
        if f not in seen and f in sizes:
            seen[f] = sizes[f]
            todo.extend(calls.get(f, ()))
    return seen


def frame(body):
    """Returns the largest number of bytes that a function pushes and reserves on the stack; rejects a computed size."""
    taken = 0
    for i in body:
        down = re.search(r"\[sp, #-(\d+)\]!", i.operands)
        if i.name in ("push", "vpush") or (i.name in ("stmdb", "vstmdb") and i.operands.startswith("sp!")):
            taken += 4 * list_length(i.operands)
        elif down:
            taken += int(down.group(1))
        elif re.fullmatch(r"sp, (sp, )?#\d+", i.operands) and i.name in ("sub", "subw"):
            taken += int(i.operands.split("#")[1])
        elif re.match(r"sp\b", i.operands) and i.name in ("sub", "subw", "mov", "bic", "and"):
            raise ValueError(f"{i.function} takes a frame that it computes: {i.name} {i.operands}")
    return taken


def deepest_stack(code, functions, root):
    """Returns the bytes from the call of the function at address root to the end of the deepest frame below it."""
    _, bodies, calls = call_graph(code, functions)
    deep = {}

    def depth(f, above):
        if f in above:
            raise ValueError(f"{bodies[f][0].function} calls itself")
        if f not in deep:
            if any(i.name in ("blx", "bx") and i.target is None and i.operands != "lr" for i in bodies.get(f, ())):
                raise ValueError(f"{bodies[f][0].function} calls by an address")
            deep[f] = frame(bodies.get(f, ())) + max((depth(g, above | {f}) for g in calls.get(f, ())), default=0)
        return deep[f]
    return depth(root & ~1, frozenset())


def code_size(code, functions, root):
    return sum(reached(code, functions, root).values())


def registers(text):
    """Returns the register names in an operand; a d register as its two s registers."""
    names = set()
    for first, last in re.findall(r"\b([rsd]\d+)-([rsd]\d+)\b", text):
        for n in range(int(first[1:]), int(last[1:]) + 1):
            names |= registers(f"{first[0]}{n}")
    for name in re.findall(r"\b([a-z]+\d*)\b", text):
        if name in CORE:
            names.add(CORE[name])
        elif re.fullmatch(r"s\d+", name):
            names.add(name)
        elif re.fullmatch(r"d\d+", name):
            names |= {f"s{2 * int(name[1:])}", f"s{2 * int(name[1:]) + 1}"}
    return names


def list_length(operands):
    inside = re.search(r"\{(.*)\}", operands)
    count = 0
    for part in (inside.group(1).split(",") if inside else []):
        words = 2 if part.strip().startswith("d") else 1
        span = re.match(r"\s*[rsd](\d+)-[rsd](\d+)", part)
        count += words * (int(span.group(2)) - int(span.group(1)) + 1 if span else 1)
    return count


class Timing:
    """One instruction: its own cycles, and the data that affect the next instruction."""

    def __init__(self, i):
        name, operands = i.name, i.operands
        split = operands.split(",", 1)
        self.single_access = False
        self.loaded = self.late = frozenset()  # loaded: by a single load; late: an FPU result that is one cycle late
        self.address = registers("".join(re.findall(r"\[[^\]]*\]", operands)))
        self.reads = registers(operands if name.startswith(("vcmp", "vmla", "vmls", "vnmla", "vnmls")) else split[-1] if len(split) > 1 else "")
        self.cycles = self.plain(name, operands, split[0])

    def plain(self, name, operands, first):
        if name.startswith("v"):
            return self.floating(name, operands, first)
        if re.match(r"(ldm|stm|push|pop)", name):
            return 1 + list_length(operands)
        if re.match(r"(ldrd|strd)", name):
            return 3
        if name.startswith("ldr"):
            self.single_access, self.loaded = True, frozenset(registers(first))
            return 2
        if name.startswith("str"):
            self.single_access, self.reads = True, registers(operands)
            return 1
        if re.match(r"[su]div", name):
            return 12
        if name in ("tbb", "tbh"):
            return 2
        if re.match(r"(dmb|dsb|isb|mrs|msr)", name):
            return 2
        return 1

    def floating(self, name, operands, first):
        double = ".f64" in operands or bool(re.search(r"\bd\d+", operands))
        if re.match(r"v(ldm|stm|push|pop)", name):
            return 1 + list_length(operands)
        if name.startswith("vldr"):
            self.single_access, self.loaded = not double, frozenset(registers(first))
            return 3 if double else 2
        if name.startswith("vstr"):
            self.single_access, self.reads = not double, registers(operands)
            return 3 if double else 2
        if name.startswith(("vmov", "vmrs", "vmsr", "vabs", "vneg")):
            return 1
        if not name.startswith("vcmp"):
            self.late = frozenset(registers(first))
        if re.match(r"v(div|sqrt)", name):
            return 14
        return 3 if re.match(r"vf?n?m(la|ls|a|s)$", name) else 1

    def after(self, previous):
        """Returns the cycles if reached in sequence from the previous instruction."""
        cycles = self.cycles
        if self.single_access and previous.single_access and cycles > 1 and not (previous.loaded & self.address):
            cycles -= 1  # address and data phase overlap
        if previous.late & (self.reads | self.address):
            cycles += 1
        return cycles


def cost_table(code, functions):
    """Returns lines for the plugin: address, size, cycles in sequence, cycles after a jump, place."""
    place = {}
    for address, size, name in functions:
        if re.fullmatch(r"_ZN6moreau4port9StopwatchC[12]Ev", name):
            place[address] = 3
        for kind, pattern in ((1, "_ZN6moreau4port9Stopwatch5beginEv"), (2, "_ZNK6moreau4port9Stopwatch12instructionsEv")):
            if name == pattern:
                place.update({a: kind for a in range(address, address + size, 2)})
    lines, previous, expected = [], None, None
    for i in code:
        timing = Timing(i)
        sequence = timing.after(previous) if previous and expected == i.address else timing.cycles
        lines.append(f"{i.address:x} {i.size} {sequence} {timing.cycles + REFILL} {place.get(i.address, 0)}")
        previous, expected = timing, i.address + i.size
    return "\n".join(lines) + "\n"
