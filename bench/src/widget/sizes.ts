import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';

/** A file's name and its sizes in bytes. */
export interface Size {
  readonly name: string;
  readonly plain: number;
  readonly brotli: number;
}

/** The elements and their floors, all bundled by the same tool in this run. */
export async function measureSizes(): Promise<readonly Size[]> {
  const floor = (name: string) =>
    bundle(fileURLToPath(new URL(`floors/${name}.ts`, import.meta.url)));
  const files: readonly (readonly [string, string])[] = [
    ['pay-button.js', await bundleStandalone('pay-button')],
    ['pay-status.js', await bundleStandalone('pay-status')],
    ['floor: Lit alone', await floor('lit-alone')],
    ['floor: plain button with fetch', await floor('plain-button')],
  ];
  return files.map(([name, code]) => ({
    name,
    plain: Buffer.byteLength(code),
    brotli: brotliCompressSync(code).length,
  }));
}
