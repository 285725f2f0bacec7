import type { Component, InjectionKey } from 'vue';

/** Injection key of the component that edits the configuration of one stream; its property is `name`. */
export const streamConfigKey: InjectionKey<Component> = Symbol('streamConfig');
