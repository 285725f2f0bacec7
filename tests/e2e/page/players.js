/* global Hls, dashjs, keepLiveDistance, shaka */

/** Files of each player. A page loads only its own: reading those of the others takes longer than many a test. */
const LIBRARIES = {
  hlsjs: ['hls.min.js', 'live-distance.js'],
  dashjs: ['dash.all.min.js'],
  shaka: ['shaka-player.compiled.js'],
};

/** Maximum number of lines of a player's own log, the newest, that a failed test prints. */
const MAX_LOG_LINES = 80;

/** Loads the files of a player. */
export async function loadLibraries(player) {
  for (const name of LIBRARIES[player]) {
    const script = document.createElement('script');
    const loaded = new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${name} cannot be loaded`));
    });
    script.src = `/lib/${name}`;
    document.head.append(script);
    await loaded;
  }
}

// Each of these starts a player as its makers, and docs/reference/playback.md, advise for low latency, and reports its position.
// `utcMs` is the epoch time of the picture as the player itself derives it: from EXT-X-PROGRAM-DATE-TIME, or from the clock of
// the MPD.
export const players = {
  hlsjs(video, address, probe) {
    const { retryMs = 500, ...options } = probe.options;
    const debug = Object.fromEntries(
      ['debug', 'log', 'info', 'warn', 'error'].map((level) => [
        level,
        (...text) => {
          probe.playerLog.push(text.join(' '));
          if (probe.playerLog.length > MAX_LOG_LINES) probe.playerLog.shift();
        },
      ]),
    );
    const hls = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.06, debug, ...options });
    hls.on(Hls.Events.ERROR, (_event, { type, details, fatal, error, response }) => {
      const text = `${type} ${details} ${response?.code ?? ''} ${error?.message ?? ''}`;
      (fatal ? probe.errors : probe.warnings).push(text);
      if (!fatal) return;
      if (type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
      else setTimeout(() => hls.loadSource(address), retryMs);
    });
    keepLiveDistance(hls, video);
    hls.loadSource(address);
    hls.attachMedia(video);
    return { utcMs: () => hls.playingDate?.getTime(), ownLatencyMs: () => hls.latency * 1000, object: hls };
  },

  dashjs(video, address, probe) {
    const dash = dashjs.MediaPlayer().create();
    dash.updateSettings({ debug: { logLevel: dashjs.Debug.LOG_LEVEL_WARNING }, ...probe.options });
    dash.on(dashjs.MediaPlayer.events.ERROR, ({ error }) => probe.errors.push(`${error.code} ${error.message}`));
    // It starts by itself: playback before it has read the MPD does not start its clock of updates.
    dash.initialize(video, address, true);
    return {
      utcMs: () => dash.timeAsUTC() * 1000,
      ownLatencyMs: () => dash.getCurrentLiveLatency() * 1000,
      object: dash,
      isSelfStarting: true,
    };
  },

  async shaka(video, address, probe) {
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    await player.attach(video);
    player.configure({ streaming: { lowLatencyMode: true }, ...probe.options });
    // An unreadable manifest is kept with the error: a moment later it is another one.
    let manifest = '';
    player.getNetworkingEngine().registerResponseFilter((type, { data }) => {
      if (type === shaka.net.NetworkingEngine.RequestType.MANIFEST) manifest = new TextDecoder().decode(data);
    });
    player.addEventListener('error', ({ detail }) => {
      const read = detail.category === shaka.util.Error.Category.MANIFEST ? manifest : '';
      probe.errors.push(`${detail.code ?? detail.stack} ${JSON.stringify(detail.data)?.slice(0, 300)} ${read}`.trim());
    });
    await player.load(address);
    const utcMs = () => player.getPlayheadTimeAsDate()?.getTime();
    return { utcMs, ownLatencyMs: () => Date.now() - utcMs(), object: player };
  },
};
