import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { measureClicks } from './click-to-request.ts';
import { measureSizes } from './sizes.ts';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;

/** Sizes and click to request, as Markdown. */
export async function measureWidget(onProgress: (text: string) => void): Promise<Measured> {
  onProgress('building and weighing');
  const sizes = await measureSizes();
  onProgress('pressing buttons');
  const clicks = await measureClicks();
  const ratio = clicks.payButton / clicks.plainButton;
  const lines = [
    '| file | minified | brotli |',
    '|---|---:|---:|',
    ...sizes.map(
      ({ name, plain, brotli }) => `| ${name} | ${kilobytes(plain)} | ${kilobytes(brotli)} |`,
    ),
    '',
    `| click to request, median of ${clicks.presses} | ms | ratio |`,
    '|---|---:|---:|',
    `| plain button with fetch | ${clicks.plainButton.toFixed(2)} | 1.00 |`,
    `| pay-button | ${clicks.payButton.toFixed(2)} | ${ratio.toFixed(2)} |`,
    '',
    describeMachine(`, ${clicks.browser}`),
  ];
  return { markdown: lines.join('\n'), isWithinBudget: true };
}
