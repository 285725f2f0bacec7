/** Line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** First characters of a cell that make a spreadsheet read it as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A negative number, which is not a formula. */
const NEGATIVE = /^-[0-9]+(\.[0-9]+)?$/;

/** Cell of CSV, quoted if necessary. A cell that a spreadsheet would read as a formula gets an apostrophe before it. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
