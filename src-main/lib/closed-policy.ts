/** Content Security Policy (W3C CSP Level 3) of answers that are no page: nothing in them is loaded or run, and no page frames them. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
