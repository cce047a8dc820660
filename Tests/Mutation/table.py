"""The table of docs/mutations.md: a row for each mutation, a column for each judge."""

COLUMNS = {"tests": 1, "scenarios": 2}
HEADING = "| mutation | detected by the engine's tests | detected by scenarios alone |\n|---|---|---|\n"
NOT_TRIED = "(not tried)"


def write_table(path, mutations, results, by):
    """Writes what one judge said of the mutations that were tried.

    What else is known of those stays, and so do the rows of others; rows of mutations that are no more go.
    """
    before, after = path.read_text().split(HEADING)
    rows = {}
    for line in after.splitlines():
        cells = line.strip("| ").split(" | ")
        rows[cells[0]] = cells
    for mutation, names in results:
        cells = rows.setdefault(mutation.title, [mutation.title, NOT_TRIED, NOT_TRIED])
        cells[COLUMNS[by]] = cell(mutation, names, by)
    lines = (rows[m.title] for m in mutations if m.title in rows)
    path.write_text(before + HEADING + "".join(f"| {' | '.join(cells)} |\n" for cells in lines))


def cell(mutation, names, by):
    if not names:
        reason = mutation.unseen if by == "scenarios" else None
        return f"unit tests only: {reason}" if reason else "**nobody**"
    shown = f"`{names[0].removesuffix('.scenario')}`" if by == "scenarios" else names[0]
    return shown + (f", and {len(names) - 1} more" if len(names) > 1 else "")
