import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { Edit } from './edit.ts';
import { litElementEdits } from './lit-element.ts';
import { litHtmlEdits } from './lit-html.ts';
import { reactiveElementEdits } from './reactive-element.ts';

const edits = new Map<string, readonly Edit[]>([
  ['@lit/reactive-element/development/reactive-element.js', reactiveElementEdits],
  ['lit-element/development/lit-element.js', litElementEdits],
  ['lit-html/development/lit-html.js', litHtmlEdits],
]);

/**
 * Leaves in Lit what the elements use, for the self-contained files only. The edits are made to
 * Lit's readable build, so that they can be read too; the minifier does the rest.
 */
export function smallerLit(): Plugin {
  return {
    name: 'smaller-lit',
    enforce: 'pre',
    config: () => ({ resolve: { conditions: ['development'] } }),
    resolveId(source, importer) {
      if (/^lit(-html)?\/(directives\/|(async-)?directive)/.test(source)) {
        throw new Error(
          `${source}: the built files' Lit has no directives (build/lit/lit-html.ts).`,
        );
      }
      const inLit = importer?.includes('/@lit/reactive-element/') && source.endsWith('/css-tag.js');
      return inLit ? fileURLToPath(new URL('css-tag.ts', import.meta.url)) : null;
    },
    transform(code, id) {
      for (const [file, changes] of edits) {
        if (id.endsWith(`/node_modules/${file}`)) {
          return { code: changes.reduce((changed, change) => change(changed), code), map: null };
        }
      }
      return null;
    },
  };
}
