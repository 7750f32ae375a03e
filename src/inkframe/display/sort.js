// Sort a table by the column whose heading was clicked; a second click reverses the order.
"use strict";
const key = (row, at) => {
  const cell = row.cells[at];
  return cell.dataset.key ?? cell.textContent;
};
const compare = (one, other) => {
  const difference = Number(one) - Number(other);
  return Number.isNaN(difference) ? one.localeCompare(other) : difference;
};
for (const button of document.querySelectorAll(".ink-table thead button")) {
  button.addEventListener("click", () => {
    const heading = button.parentElement;
    const body = heading.closest("table").tBodies[0];
    const turn = heading.ariaSort === "ascending" ? -1 : 1;
    for (const each of heading.parentElement.cells) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
    const rows = [...body.rows].sort((a, b) => turn * compare(key(a, heading.cellIndex), key(b, heading.cellIndex)));
    body.append(...rows);
  });
}
