import lighthouse from 'lighthouse';
import { startBrowser } from '../../../scripts/browser.ts';
import { chromiumArguments } from '../../../scripts/find-chromium.ts';
import { freePort } from '../../../scripts/process/free-port.ts';

/** The categories that are judged, by Lighthouse's names. */
export const categories = ['performance', 'accessibility', 'best-practices'] as const;

export type Category = (typeof categories)[number];

/** What Lighthouse says of one visit. */
export interface Audit {
  /** From 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** Bytes over the wire. */
  readonly bytes: number;
  readonly requests: number;
  /** The audits that cost points, by name. */
  readonly costly: readonly string[];
}

/** On a busy machine the record of a visit can lack its beginning; Lighthouse then asks for another. */
const TRIES = 3;

/**
 * Visits a page as a phone on a slow network does, and judges it.
 *
 * @throws when no visit could be recorded.
 */
export async function audit(url: string, cookie?: string): Promise<Audit> {
  for (let tries = 1; ; tries += 1) {
    const report = await visit(url, cookie);
    if (report.runtimeError === undefined) return read(report);
    if (tries === TRIES) throw new Error(`${url}: ${report.runtimeError.message}`);
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** One visit, in a browser of its own. */
async function visit(url: string, cookie: string | undefined): Promise<Report> {
  const port = await freePort();
  const args = [...chromiumArguments, `--remote-debugging-port=${port}`];
  const browser = await startBrowser({ args });
  try {
    const result = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: [...categories],
      ...(cookie === undefined ? {} : { extraHeaders: { cookie } }),
    });
    if (result === undefined) throw new Error(`Lighthouse said nothing of ${url}.`);
    return result.lhr;
  } finally {
    await browser.close();
  }
}

function read({ audits, categories: judged }: Report): Audit {
  const score = (name: Category): number => Math.round((judged[name]?.score ?? 0) * 100);
  const weighed = categories.flatMap((name) => judged[name]?.auditRefs ?? []);
  const costly = weighed
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim());
  const requests = audits['network-requests']?.details;
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
    },
    bytes: audits['total-byte-weight']?.numericValue ?? Number.NaN,
    requests: requests?.type === 'table' ? requests.items.length : Number.NaN,
    costly,
  };
}
