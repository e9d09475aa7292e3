import { readFile } from 'node:fs/promises';
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';

/** A named thing of the manifest: an attribute, slot, part, state, custom property, event or member. */
export interface Named {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: { readonly text: string };
  readonly kind?: 'field' | 'method';
  readonly privacy?: string;
  readonly static?: boolean;
}

/** An element as `custom-elements.json` describes it. */
export interface ElementDescription extends Named {
  readonly tagName: string;
  readonly attributes: readonly (Named & { readonly fieldName: string })[];
  readonly members: readonly Named[];
  readonly events: readonly Named[];
  readonly slots: readonly Named[];
  readonly cssParts: readonly Named[];
  readonly cssStates?: readonly Named[];
  readonly cssProperties: readonly Named[];
}

/** The parts of the manifest that are read or changed here. */
export interface Manifest {
  modules: {
    path: string;
    declarations: { name: string; customElement?: boolean; members?: Named[]; tagName?: string }[];
    exports: { kind: string; name: string; declaration: { name: string; module: string } }[];
  }[];
}

const sources = ['pay-button', 'pay-status', 'events'];

/** Creates `custom-elements.json` from the comments and properties of the elements. */
export async function createManifest(): Promise<Manifest> {
  const modules = await Promise.all(
    sources.map(async (name) => {
      const text = await readFile(new URL(`../src/${name}.ts`, import.meta.url), 'utf8');
      return ts.createSourceFile(`dist/lib/${name}.js`, text, ts.ScriptTarget.ES2022, true);
    }),
  );
  const manifest = create({ modules, plugins: litPlugin() }) as Manifest;
  for (const { path, declarations, exports } of manifest.modules) {
    for (const declaration of declarations) {
      declaration.members = (declaration.members ?? []).filter(isPublic);
      const { name, tagName } = declaration;
      if (tagName === undefined) continue;
      exports.push({
        kind: 'custom-element-definition',
        name: tagName,
        declaration: { name, module: path },
      });
    }
  }
  return manifest;
}

/** The elements of a manifest, in its order. */
export function elementsOf(manifest: Manifest): readonly ElementDescription[] {
  return manifest.modules
    .flatMap(({ declarations }) => declarations)
    .filter(({ customElement }) => customElement) as unknown as readonly ElementDescription[];
}

/** Members that the browser or Lit reads. */
const ofThePlatform = new Set(['formAssociated', 'formDisabledCallback', 'shadowRootOptions']);

function isPublic({ name, privacy = 'public' }: Named): boolean {
  return privacy === 'public' && !ofThePlatform.has(name);
}
