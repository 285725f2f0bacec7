/** Elements of SMIL that name media (SMIL 3.0, 7.3.1). */
const MEDIA_ELEMENT = /^(?:video|audio|ref)[\s/]/;
const SOURCE = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Files named by a SMIL file, in order and without repeats. The prefix `mp4:` of other servers is removed; other elements are
 * ignored.
 */
export function readSmil(text: string): readonly string[] {
  const sources = new Set<string>();
  for (const piece of withoutComments(text).split('<')) {
    const end = piece.indexOf('>');
    if (end < 0 || !MEDIA_ELEMENT.test(piece)) continue;
    const found = SOURCE.exec(piece.slice(0, end));
    const source = decoded(found?.[1] ?? found?.[2] ?? '').replace(/^(?:mp4|flv|mp3):(?!\/\/)/, '');
    if (source !== '') sources.add(source);
  }
  return [...sources];
}

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  return [
    first,
    ...rest.map((piece) => piece.slice(piece.indexOf('-->') < 0 ? piece.length : piece.indexOf('-->') + 3)),
  ].join('');
}

function decoded(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
