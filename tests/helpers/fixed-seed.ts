import fc from 'fast-check';

/**
 * Seed of all property tests, so that a failed run can be repeated. With `AIRDESK_RUNS` (longer tests) the seed is
 * random, unless `AIRDESK_SEED` is set.
 */
const given = process.env['AIRDESK_SEED'];
const seed = given === undefined ? 42 : Number(given);
if (given !== undefined || process.env['AIRDESK_RUNS'] === undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
