import '@fontsource-variable/roboto/wght.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { createWebHashHistory } from 'vue-router';
import { config as configureSchemas } from 'zod';
import { bridgeKey, openBridge } from './server/bridge.ts';
import { FrameTicker } from './lib/frame-ticker.ts';
import { AudioMixer } from './modules/wall/sound/audio-mixer.ts';
import { LastFrames } from './modules/wall/last-frames.ts';
import { wallContextKey } from './modules/wall/wall-context.ts';
import DeskShell from './shell/frame/DeskShell.vue';
import { createDeskRouter } from './shell/frame/desk-router.ts';

// Schemas must not generate code: the content security policy forbids it.
configureSchemas({ jitless: true });

const bridge = await openBridge();

createApp(DeskShell)
  .use(createPinia())
  .use(createDeskRouter(createWebHashHistory()))
  .provide(bridgeKey, bridge)
  .provide(wallContextKey, { ticker: new FrameTicker(25), audioMixer: new AudioMixer(), lastFrames: new LastFrames() })
  .mount('#app');
