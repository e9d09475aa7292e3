import { describeMachine } from '../machine.ts';
import { measureClicks } from './click-to-request.ts';
import { measureSizes } from './sizes.ts';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;

/** Sizes and click to request, as Markdown. */
export async function measureWidget(): Promise<string> {
  const sizes = await measureSizes();
  const clicks = await measureClicks();
  const ratio = clicks.payButton / clicks.plainButton;
  return [
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
  ].join('\n');
}
