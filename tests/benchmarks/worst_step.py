"""The bar chart of the front page: instructions of the worst step of the slider-crank on the Cortex-M4F."""
import math

# From the cheapest row to the most expensive one.
BARS = [("hand variable", "a step written by hand"), ("exact variable", "Stepper<Model>"),
        ("exact const", "Timing::constant"), ("lemke variable", "Lemke's method"), ("psor variable", "prox iteration (PSOR)")]
OURS = {"exact variable", "exact const"}
THEMES = {"light": ("#1f2328", "#59636e", "#d1d9e0", "#0969da", "#9aa4af"), "dark": ("#f0f6fc", "#9198a1", "#3d444d", "#4493f8", "#656c76")}
WIDTH, LEFT, DECADE, TOP, PITCH, BAR = 760, 250, 130, 58, 34, 20


def draw(rows, theme):
    """Horizontal bars over a logarithmic axis. Two decimals: the same text on every machine."""
    text, faint, line, ours, others = THEMES[theme]
    lowest, decades, values = 100, 3, []
    for name, label in BARS:
        row = rows[f"mps2-an386 float slidercrank {name}"]
        values.append((name, label, int(row["max"]), row["min"] == row["max"]))
    bottom = TOP + PITCH * len(BARS) - 6
    height = bottom + 28

    def escaped(label):
        return label.replace("<", "&lt;").replace(">", "&gt;")

    def x(value):
        return LEFT + DECADE * math.log10(value / lowest)

    title = "Instructions of the worst step, slider-crank with play, Cortex-M4F: " + ", ".join(f"{label} {value}" for _, label, value, _ in values)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"',
           '     font-family="system-ui, sans-serif" font-size="14">',
           f'  <title>{escaped(title)}</title>',
           f'  <text x="10" y="22" font-size="16" font-weight="600" fill="{text}">Instructions of the worst step</text>',
           f'  <text x="10" y="42" fill="{faint}">slider-crank with play, Cortex-M4F, float; logarithmic</text>']
    out.append(f'  <line x1="{LEFT}" y1="{TOP - 6}" x2="{LEFT}" y2="{bottom}" stroke="{line}"/>')
    for decade in range(decades + 1):
        at = x(lowest * 10 ** decade)
        out.append(f'  <line x1="{at:.2f}" y1="{bottom}" x2="{at:.2f}" y2="{bottom + 5}" stroke="{line}"/>')
        out.append(f'  <text x="{at:.2f}" y="{bottom + 20}" text-anchor="middle" font-size="12" fill="{faint}">{lowest * 10 ** decade:,}</text>')
    for i, (name, label, value, always) in enumerate(values):
        y = TOP + PITCH * i
        colour = ours if name in OURS else others
        out.append(f'  <text x="{LEFT - 12}" y="{y + 15}" text-anchor="end" fill="{text}">{escaped(label)}</text>')
        out.append(f'  <rect x="{LEFT}" y="{y}" width="{x(value) - LEFT:.2f}" height="{BAR}" rx="2" fill="{colour}"/>')
        out.append(f'  <text x="{x(value) + 8:.2f}" y="{y + 15}" font-weight="600" fill="{text}">{value:,}{", always" if always else ""}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
