/** Builds the files for script tags and their hashes, copies `reserve.css`, and writes the data for
 * editors and catalogues. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { vscodeCssData, vscodeHtmlData, webTypes } from './editor-data.ts';
import { createManifest, elementsOf } from './manifest.ts';
import { bundleStandalone, integrityOf, standaloneNames } from './standalone.ts';

const dist = new URL('../dist/', import.meta.url);
const manifest = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };

await mkdir(dist, { recursive: true });
const integrity: Record<string, { file: string; integrity: string }> = {};
for (const name of [...standaloneNames, 'console-advice'] as const) {
  const code = await bundleStandalone(name);
  // The other files ask for the advice by its plain name.
  const file = name === 'console-advice' ? `${name}.js` : `${name}-${version}.js`;
  await writeFile(new URL(`${name}.js`, dist), code);
  await writeFile(new URL(file, dist), code);
  integrity[`${name}.js`] = { file, integrity: integrityOf(code) };
}

const elementManifest = await createManifest();
const elements = elementsOf(elementManifest);
const data: Readonly<Record<string, object>> = {
  'integrity.json': integrity,
  'custom-elements.json': elementManifest,
  'vscode.html-custom-data.json': vscodeHtmlData(elements),
  'vscode.css-custom-data.json': vscodeCssData(elements),
  'web-types.json': webTypes(elements, version),
};
for (const [name, content] of Object.entries(data)) {
  await writeFile(new URL(name, dist), `${JSON.stringify(content, null, 2)}\n`);
}
await copyFile(new URL('../src/reserve.css', import.meta.url), new URL('reserve.css', dist));
