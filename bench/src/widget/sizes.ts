import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';

/** A file's name and its sizes in bytes. */
export interface Size {
  readonly name: string;
  readonly plain: number;
  readonly brotli: number;
}

/** The sizes of the elements, floors and peers, all bundled by the same tool in this run. */
export async function measureSizes(): Promise<readonly Size[]> {
  const own = (name: string) => bundle(fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  const files: readonly (readonly [string, string])[] = [
    ['pay-button.js', await bundleStandalone('pay-button')],
    ['pay-status.js', await bundleStandalone('pay-status')],
    ['pay-elements.js (both)', await bundleStandalone('pay-elements')],
    ['floor: Lit alone', await own('floors/lit-alone')],
    ['floor: plain button with fetch', await own('floors/plain-button')],
    ['Google Pay button (loads more at run time)', await own('peers/google-pay-button')],
    ['Polar embedded checkout', await own('peers/polar-checkout')],
    ['Material Web button', await own('peers/material-button')],
    ['Web Awesome button', await own('peers/web-awesome-button')],
  ];
  return files.map(([name, code]) => ({
    name,
    plain: Buffer.byteLength(code),
    brotli: brotliCompressSync(code).length,
  }));
}
