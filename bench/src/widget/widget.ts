import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';
import { describeMachine, judged, type Measured, table } from '../measured.ts';
import { measureClicks } from './click-to-request.ts';

/** The design's budgets. Sizes are exact; times may exceed theirs by the noise. */
const budgets = { button: 10_000, status: 2_816, click: 1.5, noise: 1.15 } as const;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;

/** Sizes and click to request, beside floors of the same run, as Markdown. */
export async function measureWidget(tell: (text: string) => void): Promise<Measured> {
  tell('building and weighing');
  const sizes = await measureSizes();
  tell('pressing buttons');
  const { payButton, plainButton, presses, browser } = await measureClicks();
  const weight = (start: string): number =>
    sizes.find(({ name }) => name.startsWith(start))?.brotli ?? Number.NaN;
  const added = weight('pay-elements.js') - weight('pay-button.js');
  const ratio = payButton / plainButton;
  const sizeRow = (about: string, most: number, is: number) => {
    return { cells: [about, kilobytes(most), kilobytes(is)], isMet: is <= most };
  };
  return judged(
    ['budget', 'at most:', 'measured:'],
    [
      sizeRow('pay-button.js, brotli', budgets.button, weight('pay-button.js')),
      sizeRow('what pay-status adds to it, brotli', budgets.status, added),
      {
        cells: ['click to request ÷ plain button', budgets.click.toFixed(2), ratio.toFixed(2)],
        isMet: ratio <= budgets.click,
        isClearlyMissed: ratio > budgets.click * budgets.noise,
      },
    ],
    ...table(
      ['file', 'minified:', 'brotli:'],
      sizes.map(({ name, plain, brotli }) => [name, kilobytes(plain), kilobytes(brotli)]),
    ),
    ...table(
      [`click to request, median of ${presses}`, 'ms:', 'ratio:'],
      [
        ['plain button with fetch', plainButton.toFixed(2), '1.00'],
        ['pay-button', payButton.toFixed(2), ratio.toFixed(2)],
      ],
    ),
    describeMachine(`, ${browser}`),
  );
}

/** A file's name and its sizes in bytes. */
interface Size {
  readonly name: string;
  readonly plain: number;
  readonly brotli: number;
}

/** The sizes of the elements and floors, all bundled by the same tool in this run. */
async function measureSizes(): Promise<readonly Size[]> {
  const own = (name: string) => bundle(fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  const files: readonly (readonly [string, string])[] = [
    ['pay-button.js', await bundleStandalone('pay-button')],
    ['pay-status.js', await bundleStandalone('pay-status')],
    ['pay-elements.js (both)', await bundleStandalone('pay-elements')],
    ['floor: Lit alone', await own('floors/lit-alone')],
    ['floor: plain button with fetch', await own('floors/plain-button')],
  ];
  return files.map(([name, code]) => ({
    name,
    plain: Buffer.byteLength(code),
    brotli: brotliCompressSync(code).length,
  }));
}
