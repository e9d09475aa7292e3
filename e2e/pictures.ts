import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** Where a picture of the documents is kept. */
function pictureFile(name: string): string {
  return `${FOLDER}${name}`;
}

/** What a picture shows beside the page. */
interface PictureOptions {
  /** Whether the testers' tools are in it. @defaultValue `false` */
  readonly withTools?: boolean;
}

/**
 * Takes a picture of what a shopper sees for the documents, only when `UPDATE_SCREENSHOTS=1`: an
 * ordinary run leaves no file changed.
 */
export async function takePicture(
  page: Page,
  name: string,
  { withTools = false }: PictureOptions = {},
): Promise<void> {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  await mkdir(FOLDER, { recursive: true });
  await showTools(page, withTools);
  await page.screenshot({ path: pictureFile(`${name}.png`), animations: 'disabled' });
  await showTools(page, true);
}

/** A style of Playwright's own would break the page's content policy, so the tools are hidden. */
async function showTools(page: Page, areShown: boolean): Promise<void> {
  await page.locator('.qa').evaluateAll((tools, hidden) => {
    for (const one of tools) if (one instanceof HTMLElement) one.hidden = hidden;
  }, !areShown);
}

/** One step of a walk: a picture that {@link takePicture} took, and what it shows. */
interface Step {
  readonly picture: string;
  readonly caption: string;
}

/** The pictures' own size, and the line below them. */
const frame = { width: 1100, height: 720, line: 64 };

const SECONDS = 3;

/**
 * Writes the steps as one moving picture, an SVG that holds them all: it needs no encoder, and its
 * words stay sharp. Readers who prefer less motion see the first step, and follow a link to the rest.
 */
export async function writeWalkThrough(name: string, steps: readonly Step[]): Promise<void> {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  const frames = await Promise.all(steps.map(drawStep));
  const { width, height, line } = frame;
  const all = `0 0 ${width} ${height + line}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${all}"><style>${style(steps.length)}</style>${frames.join('')}</svg>\n`;
  await writeFile(pictureFile(`${name}.svg`), svg);
}

async function drawStep({ picture, caption }: Step, index: number): Promise<string> {
  const png = (await readFile(pictureFile(`${picture}.png`))).toString('base64');
  const { width, height, line } = frame;
  return [
    `<g class="step s${index}"><rect width="${width}" height="${height + line}"/>`,
    `<image width="${width}" height="${height}" href="data:image/png;base64,${png}"/>`,
    `<text x="${width / 2}" y="${height + line - 22}">${index + 1}. ${caption.replaceAll('<', '&lt;')}</text></g>`,
  ].join('');
}

/** Each step fades in over the one before it; the first of them is there when nothing moves at all. */
function style(count: number): string {
  const share = 100 / count;
  const moving = Array.from(
    { length: count },
    (_, index) => `.s${index}{animation-delay:${index * SECONDS}s}`,
  );
  return [
    'rect{fill:#fbf8f1}text{font:600 30px system-ui,sans-serif;fill:#2a2016;text-anchor:middle}',
    `.step{animation:${count * SECONDS}s infinite step}.step:not(.s0){opacity:0}`,
    `@keyframes step{0%{opacity:0}2%,${share}%{opacity:1}${share + 2}%,100%{opacity:0}}`,
    ...moving,
    '@media(prefers-reduced-motion:reduce){.step{animation:none}}',
  ].join('');
}
