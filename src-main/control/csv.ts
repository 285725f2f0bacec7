/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** First characters of a cell that spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A negative number is no formula. */
const NEGATIVE = /^-[0-9]+(\.[0-9]+)?$/;

/** A cell, in quotation marks where it needs them. One that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
