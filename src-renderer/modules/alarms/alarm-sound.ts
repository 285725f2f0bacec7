/** Plays two short tones, if the browser allows sound. */
export function soundAlarm(open: () => AudioContext = () => new AudioContext()): void {
  try {
    const context = open();
    const gain = context.createGain();
    gain.gain.value = 0.15;
    gain.connect(context.destination);
    for (const [index, hz] of [880, 660].entries()) {
      const tone = context.createOscillator();
      tone.frequency.value = hz;
      tone.connect(gain);
      tone.start(context.currentTime + index * 0.2);
      tone.stop(context.currentTime + index * 0.2 + 0.15);
      if (index === 1) tone.onended = () => void context.close();
    }
  } catch {
    // Without a sound device, alarms are only shown.
  }
}
