import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { minifyHTMLLiterals } from 'minify-literals';
import { build, type Plugin } from 'vite';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

/** The files of `dist/` for script tags: each registers its elements and exports their classes. */
export const standaloneNames = ['pay-button', 'pay-status', 'pay-elements'] as const;
/** One of them, or the file beside them that they load at a mistake. */
export type StandaloneName = (typeof standaloneNames)[number] | 'console-advice';

/** Lit's licence, once; each of Lit's modules repeats the notice. */
const litNotice =
  '/** @license Lit, Copyright 2017 Google LLC, SPDX-License-Identifier: BSD-3-Clause */';

/** Removes the white space of the HTML and CSS templates in our sources. */
const minifyTemplates: Plugin = {
  name: 'minify-templates',
  enforce: 'post',
  async transform(code, id) {
    if (!/\/src\/.*\.ts$/.test(id)) return null;
    return minifyHTMLLiterals(code, { fileName: id });
  },
};

const lateAdvice = `${packageRoot}src/standalone/late-advice.ts`;

/** Leaves the console's advice to its own file, which `late-advice.ts` loads at a mistake. */
const adviceApart: Plugin = {
  name: 'advice-apart',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === './console-advice.ts') return lateAdvice;
    return importer === lateAdvice ? { id: './console-advice.js', external: true } : null;
  },
};

/** Bundles one module with everything it imports into one minified ES module, in memory. */
export async function bundle(entry: string): Promise<string> {
  const built = await build({
    root: packageRoot,
    configFile: false,
    logLevel: 'warn',
    // Vite adds `development` outside production, which would bundle Lit's development build.
    resolve: { conditions: ['module', 'browser'] },
    plugins: [adviceApart, minifyTemplates],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'bundle' },
      rolldownOptions: {
        // Vite's own minifier leaves the white space of an ES library.
        output: {
          minify: {
            compress: true,
            mangle: true,
            // A leading underscore marks Lit's own names, which no other file knows.
            mangleProps: { include: /^_/, quoted: true },
            codegen: { removeWhitespace: true },
          },
          comments: { legal: false, annotation: false },
        },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error(`Vite returned no output for ${entry}.`);
  return `${litNotice}\n${result.output[0].code}`;
}

/** Bundles one of the files for script tags. */
export function bundleStandalone(name: StandaloneName): Promise<string> {
  return bundle(`src/standalone/${name}.ts`);
}

/** The value of a script's `integrity` attribute. */
export function integrityOf(code: string): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`;
}
