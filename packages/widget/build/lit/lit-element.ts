import { drop, type Edit, plainNames, replace, rewrite } from './edit.ts';

/** `lit-element` without hooks for polyfills and hydration, and without what directives need. */
export const litElementEdits: readonly Edit[] = [
  replace('const DEV_MODE = true;', 'const DEV_MODE = false;'),
  replace('global.litElementHydrateSupport?.({ LitElement });', ''),
  replace(': global.litElementPolyfillSupport;', ': undefined;'),
  replace("(global.litElementVersions ??= []).push('4.2.2');", ''),
  plainNames,
  replace("LitElement['_$litElement$'] = true;", ''),
  drop('LitElement', 'constructor', 'createRenderRoot', 'connectedCallback'),
  drop('LitElement', 'disconnectedCallback', 'render'),
  rewrite(
    'LitElement',
    'update',
    `update() {
      const value = this.render();
      super.update();
      render(value, this.renderRoot, { host: this });
    }`,
  ),
];
