import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { minifyHTMLLiterals } from 'minify-literals';
import { build, type Plugin } from 'vite';
import { smallerLit } from './lit/smaller-lit.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

/** The elements that are built as one file each, and that `dist/` names so. */
export const standaloneNames = ['pay-button', 'pay-status', 'pay-elements'] as const;
export type StandaloneName = (typeof standaloneNames)[number];

/** Lit's own notice, once: its modules repeat it a dozen times. */
const litNotice =
  '/** @license Lit, shortened, Copyright 2017 Google LLC, SPDX-License-Identifier: BSD-3-Clause */';

/** Takes the white space out of the sources' HTML and CSS templates. */
function minifyTemplates(): Plugin {
  return {
    name: 'minify-templates',
    enforce: 'post',
    async transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id)) return null;
      return minifyHTMLLiterals(code, { fileName: id });
    },
  };
}

/** Bundles one module with everything it imports, minified, in memory. */
export async function bundle(entry: string, plugins: readonly Plugin[] = []): Promise<string> {
  const built = await build({
    root: packageRoot,
    configFile: false,
    logLevel: 'warn',
    // Without `development`, which Vite adds outside production: a floor is Lit's real build.
    resolve: { conditions: ['module', 'browser'] },
    plugins: [...plugins, minifyTemplates()],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'bundle' },
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false },
        output: {
          minify: {
            compress: true,
            mangle: true,
            // Lit's own names, which nothing outside the file knows.
            mangleProps: { include: /^_/, quoted: true },
            codegen: { removeWhitespace: true },
          },
          comments: { legal: false, annotation: false },
        },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error(`Vite gave no output for ${entry}.`);
  return `${litNotice}\n${result.output[0].code}`;
}

/** The self-contained file of one element: it registers the element and exports its class. */
export function bundleStandalone(name: StandaloneName): Promise<string> {
  return bundle(`src/standalone/${name}.ts`, [smallerLit()]);
}

/** The `integrity` attribute's value for a script. */
export function integrityOf(code: string): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`;
}
