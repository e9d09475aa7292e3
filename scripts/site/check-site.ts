/** Looks at the built site, as the last step of `npm run tool -- docs:build`: the HTML of every page, and axe. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { axeFindings, startBrowser } from '../browser.ts';
import { htmlFindings } from '../html-findings.ts';
import { judgeFindings, reportStep } from '../steps.ts';
import { serveSite, siteFolder } from './serve-site.ts';

/** The first page, and those with a live button, code, pictures and wide tables. */
const looked = ['/', '/overview', '/docs/theming-and-languages', '/demo/', '/bench/'];

const looks = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const;

const results = [
  await reportStep('html', checkHtml),
  await reportStep('accessibility', checkAccessibility),
];
process.exitCode = results.every(Boolean) ? 0 : 1;

async function checkHtml(): Promise<string> {
  const findings: string[] = [];
  const pages = globSync('**/*.html', { cwd: siteFolder });
  for (const path of pages) {
    const found = await htmlFindings(readFileSync(join(siteFolder, path), 'utf8'));
    findings.push(...found.map((finding) => `${path}:${finding}`));
  }
  return judgeFindings(findings, `${pages.length} pages`);
}

async function checkAccessibility(): Promise<string> {
  const site = await serveSite();
  const browser = await startBrowser();
  try {
    const findings: string[] = [];
    for (const path of looked) {
      for (const { width, colorScheme } of looks) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' });
        // VitePress nests the arrow of a sidebar's group in a button of its own.
        const rules = { 'nested-interactive': { enabled: false } };
        const found = await axeFindings(page, { rules });
        findings.push(...found.map((finding) => `${path} at ${width}, ${colorScheme}: ${finding}`));
        await page.close();
      }
    }
    return judgeFindings(findings, `${looked.length} pages`);
  } finally {
    await browser.close();
    await site.close();
  }
}
