// Search, filters and sorting for the table of a collection; without this script it is a plain table.
(() => {
  "use strict";
  const table = document.getElementById("certificates");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const at = (id) => document.getElementById(id);
  const words = (row, key) => (row.dataset[key] ?? "").split(" ");

  function filter() {
    const text = at("search").value.trim().toLowerCase();
    const wanted = ["units", "field", "rule"].map((key) => [key, at(key).value]);
    const open = at("open").checked;
    let shown = 0;
    for (const row of rows) {
      const keep =
        row.dataset.text.includes(text) &&
        wanted.every(([key, value]) => !value || words(row, key).includes(value)) &&
        (!open || row.dataset.open === "yes");
      row.hidden = !keep;
      shown += keep ? 1 : 0;
    }
    at("count").textContent = `${shown} of ${rows.length} lines`;
  }

  // "17..18 / 10" sorts by 17, a size by its bytes, words by themselves; empty cells come last.
  function key(row, column) {
    const cell = row.cells[column];
    const text = cell.textContent.trim().toLowerCase();
    const number = cell.dataset.number ?? (cell.className === "value" ? /\d+/.exec(text)?.[0] : undefined);
    return { text, number: number === undefined ? null : Number(number) };
  }

  function compare(a, b) {
    if (!a.text || !b.text) return (a.text ? 0 : 1) - (b.text ? 0 : 1);
    if (typeof a.number === "number" && typeof b.number === "number") return a.number - b.number;
    return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  }

  function sort(head) {
    const column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const keyed = rows.map((row, k) => ({ row, k, key: key(row, column) }));
    const empty = (one) => one.key.text === "";
    keyed.sort((a, b) => {
      const order = compare(a.key, b.key);
      return (down && !empty(a) && !empty(b) ? -order : order) || a.k - b.k;
    });
    body.append(...keyed.map(({ row }) => row));
  }

  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head));
  }
  for (const id of ["search", "units", "field", "rule", "open"]) at(id).addEventListener("input", filter);
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("filters").hidden = false;
  // An address such as #units=tied&open=yes&search=det opens the list as somebody saw it.
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const control = at(name);
    if (name === "sort") sort(table.tHead.rows[0].cells[Number(value)]);
    else if (control?.type === "checkbox") control.checked = value === "yes";
    else if (control) control.value = value;
  }
  filter();
})();
