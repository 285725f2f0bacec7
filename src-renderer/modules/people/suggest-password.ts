/** Letters and digits without those that look alike. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Suggests a random password of about 79 bits, in groups that are easy to read aloud. */
export function suggestPassword(): string {
  // Values above the last multiple of the length are discarded, so that all characters are equally likely.
  const limit = 256 - (256 % CHARACTERS.length);
  let text = '';
  while (text.length < GROUPS * GROUP_LENGTH) {
    const [value = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (value < limit) text += CHARACTERS[value % CHARACTERS.length] ?? '';
  }
  return (text.match(/.{4}/g) ?? []).join('-');
}
