import {
  describeMachine,
  type Measured,
  median,
  packageVersion,
  table,
  verdictOf,
} from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { openShop, openSite, type Page, type PageName } from './open-pages.ts';
import { audit, categories, type Audit } from './audit.ts';

/** The least that a page may have in each category. */
const least: Readonly<Record<PageName, number>> = {
  storefront: 95,
  order: 95,
  hosted: 95,
  docs: 90,
};

const about: Readonly<Record<PageName, string>> = {
  storefront: 'storefront',
  order: 'order page',
  hosted: 'hosted page',
  docs: 'first page of the documents',
};

/** Lighthouse's scores of the pages that a shopper and a newcomer see first, as Markdown. */
export async function measurePages(
  onProgress: (text: string) => void,
  { rounds = 3 }: Parameters,
): Promise<Measured> {
  const visits = new Map<PageName, readonly Audit[]>();
  for (const open of [openShop, openSite]) {
    const { pages, close } = await open();
    try {
      for (const page of pages) visits.set(page.name, await visit(page, rounds, onProgress));
    } finally {
      await close();
    }
  }
  return report(visits, rounds);
}

async function visit(
  { name, url, cookie }: Page,
  rounds: number,
  onProgress: (text: string) => void,
): Promise<readonly Audit[]> {
  const audits: Audit[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const seen = await audit(url, cookie);
    const scores = categories.map((category) => seen.scores[category]).join(', ');
    const costs = seen.costly.length === 0 ? '' : `; ${seen.costly.join(', ')}`;
    onProgress(`${name}, round ${round} of ${rounds}: ${scores}${costs}`);
    audits.push(seen);
  }
  return audits;
}

function report(visits: ReadonlyMap<PageName, readonly Audit[]>, rounds: number): Measured {
  let isWithinBudget = true;
  const lines = [...visits].map(([name, audits]) => {
    const scores = categories.map((category) => median(audits.map((one) => one.scores[category])));
    const isMet = scores.every((score) => score >= least[name]);
    isWithinBudget &&= isMet;
    const kilobytes = median(audits.map(({ bytes }) => bytes)) / 1000;
    const requests = median(audits.map((one) => one.requests));
    return [about[name], least[name], ...scores, kilobytes.toFixed(0), requests, verdictOf(isMet)];
  });
  const markdown = [
    ...table(
      ['page', 'at least:', ...categories.map((name) => `${name}:`), 'kB:', 'requests:', ''],
      lines,
    ),
    `Medians of ${rounds} visits. ${describeMachine(`, Lighthouse ${packageVersion('lighthouse')}`)}`,
  ];
  return { markdown: markdown.join('\n'), isWithinBudget };
}
