import fc from 'fast-check';

/** Seed of all property tests: a run of the tests that fails can be repeated. A search for more (`AIRDESK_RUNS`) starts somewhere else each time. */
if (process.env['AIRDESK_RUNS'] === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 42 });
