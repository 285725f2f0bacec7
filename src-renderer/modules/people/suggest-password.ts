/** Letters and digits that are not confused with each other. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Suggests a random password of about 79 bits, in groups that can be read to a person. */
export function suggestPassword(): string {
  // Values above the last multiple of the length are left out, so that all characters are equally likely.
  const limit = 256 - (256 % CHARACTERS.length);
  let text = '';
  while (text.length < GROUPS * GROUP_LENGTH) {
    const [value = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (value < limit) text += CHARACTERS[value % CHARACTERS.length] ?? '';
  }
  return (text.match(/.{4}/g) ?? []).join('-');
}
