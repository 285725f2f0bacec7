// Plays ?address= with ?player= and measures. `probe.report()` is what the tests read.
import { players } from './players.js';
import { Probe } from './probe.js';

const parameters = new URLSearchParams(location.search);
const video = document.querySelector('#video');
const probe = new Probe(video);
window.probe = probe;
window.addEventListener('error', ({ message }) => probe.errors.push(`page: ${message}`));
window.addEventListener('unhandledrejection', ({ reason }) => probe.errors.push(`page: ${reason}`));

try {
  probe.player = await players[parameters.get('player')](video, parameters.get('address'), probe);
  if (!probe.player.isSelfStarting) await video.play();
} catch (error) {
  probe.errors.push(`start: ${error?.stack ?? error}`);
}
