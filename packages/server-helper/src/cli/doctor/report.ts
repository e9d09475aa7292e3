import { plain } from '../../html-text.ts';
import { type Terminal, writeReasons } from '../terminal.ts';
import { type ShopSettings, storeName } from '../shop-settings.ts';
import { profileNameOf } from './answers.ts';
import type { CheckResult } from './check.ts';

/** The results of one check. */
export interface CheckReport {
  readonly id: string;
  readonly title: string;
  readonly results: readonly CheckResult[];
}

interface About {
  readonly isJson: boolean;
  readonly version: string;
  readonly settings: ShopSettings;
}

const marks = {
  fine: ['green', '✓'],
  wrong: ['red', '✗'],
  odd: ['yellow', '!'],
  unchecked: ['dim', '–'],
} as const;

const TITLE_WIDTH = 15;

/** Whether nothing is wrong. */
export const isWell = (reports: readonly CheckReport[]): boolean =>
  reports.every(({ results }) => results.every(({ status }) => status !== 'wrong'));

/** Writes the findings of the doctor, for a person or as JSON. */
export function writeReport(
  terminal: Terminal,
  reports: readonly CheckReport[],
  { isJson, version, settings }: About,
): void {
  const results = reports.flatMap(({ id, title, results: own }) =>
    own.map((result) => ({ id, title, ...result })),
  );
  const count = (status: CheckResult['status']): number =>
    results.filter((one) => one.status === status).length;
  const tally = {
    fine: count('fine'),
    wrong: count('wrong'),
    odd: count('odd'),
    unchecked: count('unchecked'),
  };
  if (isJson) {
    const profile = profileNameOf(settings);
    terminal.json({ version, profile, ok: tally.wrong === 0, ...tally, checks: results });
    return;
  }
  const { environment } = settings.options.gateway;
  const about = [
    environment || '?',
    settings.options.publicUrl || '?',
    storeName(settings),
    profileNameOf(settings),
  ];
  terminal.line(
    `${terminal.paint('bold', 'pay-button doctor')} ${terminal.paint('dim', version)}  ${plain(about.join(' · '))}`,
  );
  terminal.line();
  for (const result of results) writeResult(terminal, result);
  terminal.line();
  terminal.line(summaryOf(terminal, tally));
}

function writeResult(terminal: Terminal, result: CheckResult & { readonly title: string }): void {
  const [colour, mark] = marks[result.status];
  const title = terminal.paint('bold', result.title.padEnd(TITLE_WIDTH));
  const text = result.status === 'fine' ? result.summary : result.what;
  terminal.line(`${terminal.paint(colour, mark)} ${title} ${plain(text)}`);
  if (result.status !== 'fine') writeReasons(terminal, result);
}

function summaryOf(
  terminal: Terminal,
  { fine, wrong, odd, unchecked }: Readonly<Record<CheckResult['status'], number>>,
): string {
  const parts = [
    terminal.paint(wrong > 0 ? ['bold', 'red'] : 'green', `${wrong} wrong`),
    odd > 0 ? terminal.paint('yellow', `${odd} to look at`) : '',
    unchecked > 0 ? `${unchecked} not checked` : '',
    `${fine} fine`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
