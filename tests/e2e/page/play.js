// Plays ?address= with ?player= and measures. Tests read `probe.report()`.
import { loadLibraries, players } from './players.js';
import { Probe } from './probe.js';

const parameters = new URLSearchParams(location.search);
const video = document.querySelector('#video');
const probe = new Probe(video);
window.probe = probe;
window.addEventListener('error', ({ message }) => probe.errors.push(`page: ${message}`));
window.addEventListener('unhandledrejection', ({ reason }) => probe.errors.push(`page: ${reason}`));

try {
  const name = parameters.get('player');
  await loadLibraries(name);
  probe.player = await players[name](video, parameters.get('address'), probe);
  // A player that shows something else first restarts, and plays by itself then.
  if (!probe.player.isSelfStarting)
    await video.play().catch((error) => {
      if (error.name !== 'AbortError') throw error;
    });
} catch (error) {
  probe.errors.push(`start: ${error?.stack ?? error}`);
}
