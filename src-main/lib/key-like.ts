/** Minimum length of a sequence of letters and digits that always counts as random. */
const LONG = 16;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const HEXADECIMAL = /^[\da-f]{8,}$/i;
/** Words of media and of programmes that mix letters and digits: sizes, codecs, tracks (`v1a1`), episodes, times. */
const TECHNICAL = /^(?:\d+x\d+(?:[ip]\d*)?|\d+[ip]\d+(?:fps)?|(?:[vat]\d+)+|s\d+e\d+|\d+t\d+z?)$/i;
/** Runs of characters of one kind: small letters after an optional capital, capitals, or digits. */
const RUN = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\d+/g;

/**
 * Reports whether a word looks like a random key, unlike `studio1`, `Kabel1HD` or `channel-one-2026`. A sequence of letters
 * and digits looks random if
 * - it has 16 characters or more,
 * - it is hexadecimal, has 8 characters or more, and changes at least twice between letters and digits, or
 * - it has 6 to 15 characters, and changes at least three times between small letters, capitals and digits. The average
 *   distance of the changes is at most 2 characters (`a8Fk3Lq9`); from a length of 10 characters on, 2.5.
 */
export function isKeyLike(word: string): boolean {
  return UUID.test(word) || word.split(/[^a-z\d]+/i).some(isRandom);
}

function isRandom(piece: string): boolean {
  if (piece.length < 6 || TECHNICAL.test(piece) || !/\d/.test(piece) || !/[a-z]/i.test(piece)) return false;
  if (piece.length >= LONG) return true;
  const runs = piece.match(RUN)?.length ?? 0;
  if (HEXADECIMAL.test(piece)) return runs > 2;
  return runs > 3 && piece.length <= runs * (piece.length < 10 ? 2 : 2.5);
}
