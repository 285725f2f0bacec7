/** Placeholder for texts that the login may not read. */
export const MASK = '********';
