import { LINE_BREAK } from './characters.ts';

/** Position in a text, from line 1 and column 1. Columns count UTF-16 code units, as editors do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Offsets of line starts; converts offsets into lines and columns. */
export class LineTable {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    if (!text.includes('\r')) {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
      return;
    }
    for (const match of text.matchAll(LINE_BREAK)) this.#starts.push(match.index + match[0].length);
  }

  /** Number of lines; a text that ends with a line break has an empty last line. */
  get count(): number {
    return this.#starts.length;
  }

  /** Line of an offset, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Offset of the first character of a line, counted from 1. Undefined for lines past the last line break. */
  startOf(line: number): number | undefined {
    return this.#starts[line - 1];
  }

  /** Line and column of an offset. */
  positionAt(offset: number): TextPosition {
    const line = this.lineAt(offset);
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 };
  }
}
