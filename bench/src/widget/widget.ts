import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { type ClickTimes, measureClicks } from './click-to-request.ts';
import { measureSizes, type Size } from './sizes.ts';
import { measureUpgrades, type UpgradeTimes, upgradeSize } from './upgrade.ts';

/** The design's budgets. Sizes are exact; times may exceed theirs by the noise. */
const budgets = { button: 10_000, status: 2_816, click: 1.5, upgrade: 1.3, noise: 1.15 } as const;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;

/** Sizes, click to request and upgrade, beside floors and peers of the same run, as Markdown. */
export async function measureWidget(onProgress: (text: string) => void): Promise<Measured> {
  onProgress('building and weighing');
  const sizes = await measureSizes();
  onProgress('pressing buttons');
  const clicks = await measureClicks();
  onProgress('upgrading elements');
  const upgrades = await measureUpgrades();
  const judged = judge(sizes, clicks, upgrades);
  const lines = [
    '| budget | at most | measured | |',
    '|---|---:|---:|---|',
    ...judged.map(({ about, most, is, verdict }) => `| ${about} | ${most} | ${is} | ${verdict} |`),
    '',
    '| file | minified | brotli |',
    '|---|---:|---:|',
    ...sizes.map(
      ({ name, plain, brotli }) => `| ${name} | ${kilobytes(plain)} | ${kilobytes(brotli)} |`,
    ),
    '',
    `| click to request, median of ${clicks.presses} | ms | ratio |`,
    '|---|---:|---:|',
    `| plain button with fetch | ${clicks.plainButton.toFixed(2)} | 1.00 |`,
    `| pay-button | ${clicks.payButton.toFixed(2)} | ${(clicks.payButton / clicks.plainButton).toFixed(2)} |`,
    '',
    `| ${upgradeSize.elements} elements until they are seen, median of ${upgradeSize.rounds} | ms | ratio |`,
    '|---|---:|---:|',
    ...upgrades.map(
      ({ name, ms, ratio }) => `| ${name} | ${ms.toFixed(0)} | ${ratio.toFixed(2)} |`,
    ),
    '',
    describeMachine(`, ${clicks.browser}`),
  ];
  return { markdown: lines.join('\n'), isWithinBudget: judged.every(({ isMet }) => isMet) };
}

interface Judged {
  readonly about: string;
  readonly most: string;
  readonly is: string;
  readonly isMet: boolean;
  readonly verdict: string;
}

function judge(
  sizes: readonly Size[],
  clicks: ClickTimes,
  upgrades: readonly UpgradeTimes[],
): readonly Judged[] {
  const weight = (start: string) =>
    sizes.find(({ name }) => name.startsWith(start))?.brotli ?? Number.NaN;
  const size = (about: string, most: number, is: number): Judged => ({
    about,
    most: kilobytes(most),
    is: kilobytes(is),
    isMet: is <= most,
    verdict: is <= most ? 'met' : '**not met**',
  });
  const ratio = (about: string, most: number, is: number): Judged => ({
    about,
    most: most.toFixed(2),
    is: is.toFixed(2),
    isMet: is <= most * budgets.noise,
    verdict: inWords(is / most),
  });
  const upgrade = upgrades.find(({ name }) => name === 'pay-button')?.ratio ?? Number.NaN;
  return [
    size('pay-button.js, brotli', budgets.button, weight('pay-button.js')),
    size(
      'what pay-status adds to it, brotli',
      budgets.status,
      weight('pay-elements.js') - weight('pay-button.js'),
    ),
    ratio('click to request ÷ plain button', budgets.click, clicks.payButton / clicks.plainButton),
    ratio('upgrade ÷ Lit with our markup and style', budgets.upgrade, upgrade),
  ];
}

function inWords(share: number): string {
  if (share <= 1) return 'met';
  return share <= budgets.noise ? 'not met, within the noise' : '**not met**';
}
