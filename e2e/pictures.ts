import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

type Scheme = 'light' | 'dark';

const schemes: readonly Scheme[] = ['light', 'dark'];

/** What the name of a picture ends with. */
const ending: Readonly<Record<Scheme, string>> = { light: '', dark: '-dark' };

/** What a picture shows beside the page. */
interface PictureOptions {
  /** Whether the testers' tools are in it. @defaultValue `false` */
  readonly withTools?: boolean;
  /** Whether it is also taken for readers who prefer dark pages. @defaultValue `false` */
  readonly inDarkToo?: boolean;
  /** Whether it is also taken at the width of a phone. @defaultValue `false` */
  readonly onPhoneToo?: boolean;
}

/**
 * Takes a picture of what a shopper sees for the documents, only when `UPDATE_SCREENSHOTS=1`: an
 * ordinary run leaves no file changed.
 */
export async function takePicture(
  page: Page,
  name: string,
  { withTools = false, inDarkToo = false, onPhoneToo = false }: PictureOptions = {},
): Promise<void> {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  const desktop = page.viewportSize();
  if (onPhoneToo && desktop !== null) {
    await page.setViewportSize({ width: 390, height: 844 });
    await takePicture(page, `${name}-phone`, { withTools, inDarkToo });
    await page.setViewportSize(desktop);
  }
  await mkdir(FOLDER, { recursive: true });
  await showTools(page, withTools);
  for (const scheme of inDarkToo ? schemes : (['light'] as const)) {
    await page.emulateMedia({ colorScheme: scheme });
    const path = `${FOLDER}${name}${ending[scheme]}.png`;
    await page.screenshot({ path, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await showTools(page, true);
}

/** A style of Playwright's own would break the page's content policy, so the tools are hidden. */
async function showTools(page: Page, areShown: boolean): Promise<void> {
  await page.locator('.qa').evaluateAll((tools, hidden) => {
    for (const one of tools) if (one instanceof HTMLElement) one.hidden = hidden;
  }, !areShown);
}

/** One step of a walk: a picture that {@link takePicture} took, and what it shows. */
type Step = Readonly<Record<'picture' | 'caption', string>>;

/** The size of a step, and the line below it. */
const frame = { width: 1100, height: 720, line: 64 };

const SECONDS = 3;

/** The most that the moving picture may weigh: readers load it before they know whether they care. */
const MOST_BYTES = 150_000;

/** The qualities of a step's WebP, best first. */
const qualities = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];

/**
 * Writes the steps as one moving picture for each scheme, an SVG that holds them all in the best
 * quality that is light enough; its words stay sharp. Readers who prefer less motion see one step,
 * and follow a link to the rest.
 *
 * @throws when it is too heavy even in the lowest quality.
 */
export async function writeWalkThrough(page: Page, name: string, steps: readonly Step[]) {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  // The shop's content policy lets no script of ours read a picture there.
  const encoder = await page.context().newPage();
  for (const scheme of schemes) {
    let svg = '';
    for (const quality of qualities) {
      svg = await drawWalk(encoder, steps, scheme, quality);
      if (Buffer.byteLength(svg) <= MOST_BYTES) break;
    }
    if (Buffer.byteLength(svg) > MOST_BYTES) {
      throw new Error(`The walk has more than ${MOST_BYTES} bytes: take steps away.`);
    }
    await writeFile(`${FOLDER}${name}${ending[scheme]}.svg`, svg);
  }
  await encoder.close();
}

async function drawWalk(encoder: Page, steps: readonly Step[], scheme: Scheme, quality: number) {
  const { width, height, line } = frame;
  const frames: string[] = [];
  for (const [index, { picture, caption }] of steps.entries()) {
    const png = await readFile(`${FOLDER}${picture}${ending[scheme]}.png`, 'base64');
    const webp = await encoder.evaluate(encode, { png, width, height, quality });
    frames.push(
      `<g class="step s${index}"><rect width="${width}" height="${height + line}"/>`,
      `<image width="${width}" height="${height}" href="${webp}"/>`,
      `<text x="${width / 2}" y="${height + line - 22}">${index + 1}. ${caption.replaceAll('<', '&lt;')}</text></g>`,
    );
  }
  const all = `0 0 ${width} ${height + line}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${all}"><style>${style(steps.length, scheme)}</style>${frames.join('')}</svg>\n`;
}

type Picture = Readonly<Record<'png', string> & Record<'width' | 'height' | 'quality', number>>;

/** Runs in the browser, which can write WebP: a picture in a size and quality, as a data address. */
async function encode({ png, width, height, quality }: Picture): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws nothing.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL('image/webp', quality);
}

/** Each step fades in over the one before it; the first of them is there when nothing moves at all. */
function style(count: number, scheme: Scheme): string {
  const [paper, ink] = scheme === 'dark' ? ['#17120c', '#f4ecdf'] : ['#fbf8f1', '#2a2016'];
  const share = 100 / count;
  const moving = Array.from(
    { length: count },
    (_, index) => `.s${index}{animation-delay:${index * SECONDS}s}`,
  );
  return [
    `rect{fill:${paper}}text{font:600 30px system-ui,sans-serif;fill:${ink};text-anchor:middle}`,
    `.step{animation:${count * SECONDS}s infinite step}.step:not(.s0){opacity:0}`,
    `@keyframes step{0%{opacity:0}2%,${share}%{opacity:1}${share + 2}%,100%{opacity:0}}`,
    ...moving,
    '@media(prefers-reduced-motion:reduce){.step{animation:none}}',
  ].join('');
}
