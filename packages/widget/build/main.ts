/** Builds what a script tag loads: the two elements, their hashes, and the reserving style. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { bundleStandalone, integrityOf, standaloneNames } from './standalone.ts';

const dist = new URL('../dist/', import.meta.url);
const manifest = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };

await mkdir(dist, { recursive: true });
const integrity: Record<string, { file: string; integrity: string }> = {};
for (const name of standaloneNames) {
  const code = await bundleStandalone(name);
  const file = `${name}-${version}.js`;
  await writeFile(new URL(`${name}.js`, dist), code);
  await writeFile(new URL(file, dist), code);
  integrity[`${name}.js`] = { file, integrity: integrityOf(code) };
}
await writeFile(new URL('integrity.json', dist), `${JSON.stringify(integrity, null, 2)}\n`);
await copyFile(new URL('../src/reserve.css', import.meta.url), new URL('reserve.css', dist));
