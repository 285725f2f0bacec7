// Starts a script of this folder: `node scripts/run.js NAME ARGUMENTS…`. This file is plain JavaScript, so that an old Node
// reports its version instead of failing at TypeScript.
const [major, minor] = process.versions.node.split('.').map(Number);
const [name, ...rest] = process.argv.slice(2);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `airdesk needs Node 22.18 or newer and found ${process.versions.node}: run "npm ci" (it brings Node 24), then start it with "npm run ${name ?? 'start'}".\n`,
  );
  process.exit(1);
}
if (!name || !/^[a-z0-9-]+$/.test(name)) {
  process.stderr.write('usage: node scripts/run.js NAME ARGUMENTS…\n');
  process.exit(2);
}
process.argv.splice(2, 1);
const { run } = await import(`./${name}.ts`);
await run(rest);
