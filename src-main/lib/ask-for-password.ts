import type { ReadStream } from 'node:tty';

/** Input of a password: a pipe or a terminal. */
export type PasswordSource = AsyncIterable<Buffer | string> & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;

const ENTER = /[\r\n]/;
const INTERRUPT = '\u0003';
const BACKSPACE = /[\u0008\u007f]/;

/** Reads a password from a terminal without echo, or the first line of a pipe. Rejects an empty password. */
export async function askForPassword(
  source: PasswordSource,
  prompt: { write(text: string): unknown },
): Promise<string> {
  if (!source.isTTY) return firstLine(await readAll(source));
  prompt.write('Password: ');
  source.setRawMode?.(true);
  try {
    return firstLine(await readTyped(source));
  } finally {
    source.setRawMode?.(false);
    prompt.write('\n');
  }
}

async function readAll(source: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function readTyped(source: AsyncIterable<Buffer | string>): Promise<string> {
  let typed: string[] = [];
  for await (const chunk of source) {
    for (const letter of chunk.toString()) {
      if (ENTER.test(letter)) return typed.join('');
      if (letter === INTERRUPT) return '';
      if (BACKSPACE.test(letter)) typed = typed.slice(0, -1);
      else typed.push(letter);
    }
  }
  return typed.join('');
}

function firstLine(text: string): string {
  const line = text.split(ENTER)[0] ?? '';
  if (line === '') throw new Error('no password was given');
  return line;
}
