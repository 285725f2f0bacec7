/** Rows of a CSV text (RFC 4180) with their line numbers, counted from 1. The header decides the separator: `,`, `;` or tab. */
export function readCsv(text: string): readonly { readonly line: number; readonly cells: readonly string[] }[] {
  const source = text.replace(/^\uFEFF/, '');
  const header = /^[^\r\n]*/.exec(source)?.[0] ?? '';
  const separator = [';', '\t'].find((one) => header.split(one).length > header.split(',').length) ?? ',';
  const rows: { line: number; cells: string[] }[] = [];
  let [cells, cell, isQuoted, line, startLine]: [string[], string, boolean, number, number] = [[], '', false, 1, 1];
  const endRow = (): void => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== '')) rows.push({ line: startLine, cells });
    [cells, cell] = [[], ''];
  };
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? '';
    if (character === '\n') line++;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (source[at + 1] === '"') cell += source[++at] ?? '';
      else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (character === separator) {
      cells.push(cell.trim());
      cell = '';
    } else if (character === '\n' || character === '\r') {
      endRow();
      startLine = line;
    } else cell += character;
  }
  endRow();
  return rows;
}
