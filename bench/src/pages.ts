import { existsSync } from 'node:fs';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { ShopProcess } from '../../e2e/shop-process.ts';
import { startBrowser } from '../../scripts/browser.ts';
import { chromiumLaunch } from '../../scripts/find-chromium.ts';
import { freePort, runNpm, succeed } from '../../scripts/process.ts';
import { serveSite, siteFolder } from '../../scripts/site/serve-site.ts';
import { describeMachine, judged, type Measured, median, packageVersion } from './measured.ts';
import type { Parameters, Tell } from './parameters.ts';

/** The categories that are judged, by Lighthouse's names. */
const categories = ['performance', 'accessibility', 'best-practices'] as const;

/** A page to judge, with the cookie of the shopper whose page it is. */
interface Page {
  readonly name: string;
  readonly url: string;
  readonly cookie?: string;
  /** The least that it may have in each category. */
  readonly least: number;
}

/** What Lighthouse says of one visit. */
interface Audit {
  /** From 0 to 100, in the order of the categories. */
  readonly scores: readonly number[];
  /** Bytes over the wire. */
  readonly bytes: number;
  readonly requests: number;
  /** The audits that cost points, by name. */
  readonly costly: readonly string[];
}

/** Lighthouse's scores of the pages that a shopper and a newcomer see first, as Markdown. */
export async function measurePages(tell: Tell, { rounds = 3 }: Parameters): Promise<Measured> {
  const visits = new Map<Page, Audit[]>();
  for (const open of [openShop, openSite]) {
    const { pages, close } = await open();
    try {
      for (const page of pages) {
        const audits: Audit[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          const seen = await audit(page);
          const costs = seen.costly.length === 0 ? '' : `; ${seen.costly.join(', ')}`;
          const scores = seen.scores.join(', ');
          tell(`${page.name}, round ${round} of ${rounds}: ${scores}${costs}`);
          audits.push(seen);
        }
        visits.set(page, audits);
      }
    } finally {
      await close();
    }
  }
  const verdicts = [...visits].map(([{ name, least }, audits]) => {
    const scores = categories.map((_, index) =>
      median(audits.map((one) => one.scores[index] ?? Number.NaN)),
    );
    const kilobytes = median(audits.map(({ bytes }) => bytes)) / 1000;
    const requests = median(audits.map((one) => one.requests));
    return {
      cells: [name, least, ...scores, kilobytes.toFixed(0), requests],
      isMet: scores.every((score) => score >= least),
    };
  });
  return judged(
    ['page', 'at least:', ...categories.map((name) => `${name}:`), 'kB:', 'requests:'],
    verdicts,
    `Medians of ${rounds} visits. ${describeMachine(`, Lighthouse ${packageVersion('lighthouse')}`)}`,
  );
}

/** Pages of one server. */
interface OpenPages {
  readonly pages: readonly Page[];
  readonly close: () => Promise<void>;
}

/** The demo shop's pages, with an order that waits for its payment. */
async function openShop(): Promise<OpenPages> {
  await succeed('node', ['scripts/build.ts']);
  const shop = await ShopProcess.start();
  try {
    const customer = { name: 'Noura Alqahtani', email: 'noura@example.com', phone: '0512345678' };
    const order = { lines: [{ sku: 'coffee', quantity: 1 }], customer };
    const placed = await post(`${shop.url}/api/orders`, order);
    const { orderId, url } = (await placed.json()) as { orderId: string; url: string };
    const cookie = placed.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    const checkout = await post(`${shop.url}/pay/checkout`, { orderId }, { cookie });
    const { redirectUrl } = (await checkout.json()) as { redirectUrl: string };
    return {
      pages: [
        { name: 'storefront', url: shop.url, least: 95 },
        { name: 'order page', url, cookie, least: 95 },
        { name: 'hosted page', url: redirectUrl, least: 95 },
      ],
      close: () => shop.stop(),
    };
  } catch (error) {
    await shop.stop();
    throw error;
  }
}

/** The first page of the documents, which are built when they are not. */
async function openSite(): Promise<OpenPages> {
  if (!existsSync(join(siteFolder, 'index.html'))) {
    await runNpm(['run', 'tool', '--', 'docs:build']);
  }
  const site = await serveSite();
  const page = { name: 'first page of the documents', url: `${site.url}/`, least: 90 };
  return { pages: [page], close: site.close };
}

async function post(url: string, body: object, headers: { readonly cookie?: string } = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${url} answers ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** On a busy machine the record of a visit can lack its beginning; Lighthouse then asks for another. */
const TRIES = 3;

/**
 * Visits a page as a phone on a slow network does, and judges it.
 *
 * @throws when no visit could be recorded.
 */
async function audit(page: Page): Promise<Audit> {
  for (let tries = 1; ; tries += 1) {
    const report = await visit(page);
    if (report.runtimeError === undefined) return read(report);
    if (tries === TRIES) throw new Error(`${page.url}: ${report.runtimeError.message}`);
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** One visit, in a browser of its own. */
async function visit({ url, cookie }: Page): Promise<Report> {
  const port = await freePort();
  const args = [...chromiumLaunch().args, `--remote-debugging-port=${port}`];
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

function read({ audits, categories: found }: Report): Audit {
  const costly = categories
    .flatMap((name) => found[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim());
  const requests = audits['network-requests']?.details;
  return {
    scores: categories.map((name) => Math.round((found[name]?.score ?? 0) * 100)),
    bytes: audits['total-byte-weight']?.numericValue ?? Number.NaN,
    requests: requests?.type === 'table' ? requests.items.length : Number.NaN,
    costly,
  };
}
