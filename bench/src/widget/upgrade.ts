import { fileURLToPath } from 'node:url';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';
import { median, onPage } from './page.ts';

/** How long one kind of element takes, and how that compares round by round. */
export interface UpgradeTimes {
  readonly name: string;
  /** Median milliseconds until all are upgraded, rendered and laid out. */
  readonly ms: number;
  /** The median of the rounds' ratios to its double. */
  readonly ratio: number;
}

/** How many elements a round upgrades, and how many rounds count. */
export const upgradeSize = { elements: 1_000, rounds: 9 } as const;
const warmUps = 2;

/** The names in the table, and the code that loads each class. */
const contenders = [
  ['floor: Lit, one plain button', "(await import('/bare-element.js')).BareElement"],
  ['floor: Lit, our markup and style', "(await import('/bare-element.js')).LookAlike"],
  ['pay-button', "(await import('/pay-button.js')).PayButton"],
  [
    'Material Web button',
    "(await import('/material-button.js'), customElements.get('md-filled-button'))",
  ],
  [
    'Web Awesome button',
    "(await import('/web-awesome-button.js'), customElements.get('wa-button'))",
  ],
] as const;
const lookAlike = 1;

const page = `<!doctype html><title>Upgrade</title>
<script type="module">
  window.contenders = [${contenders.map(([, code]) => code).join(', ')}];
  document.documentElement.dataset.ready = 'yes';
</script>`;

/** Runs in the page: adds elements, defines them, and waits until all are visible. */
async function upgrade([index, count, round]: readonly [number, number, number]): Promise<number> {
  const classes = (window as unknown as { contenders: CustomElementConstructor[] }).contenders;
  const contender = classes[index];
  if (!contender) throw new Error('There is no such contender.');
  const tag = `contender-${index}-${round}`;
  const list = document.createElement('div');
  list.innerHTML = `<${tag} endpoint="/checkout" order-id="1"></${tag}>`.repeat(count);
  document.body.append(list);
  await new Promise(requestAnimationFrame);
  const begun = performance.now();
  customElements.define(tag, class extends contender {});
  const upgraded = [...list.children] as (Element & { updateComplete: Promise<unknown> })[];
  await Promise.all(upgraded.map((element) => element.updateComplete));
  list.getBoundingClientRect();
  const taken = performance.now() - begun;
  list.remove();
  return taken;
}

/** Upgrades all contenders on one page, round by round in turn. */
export async function measureUpgrades(): Promise<readonly UpgradeTimes[]> {
  const own = (name: string) => bundle(fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  const scripts = new Map([
    ['/pay-button.js', await bundleStandalone('pay-button')],
    ['/bare-element.js', await own('floors/bare-element')],
    ['/material-button.js', await own('peers/material-button')],
    ['/web-awesome-button.js', await own('peers/web-awesome-button')],
  ]);
  return onPage(page, scripts, async (tab) => {
    const taken: number[][] = contenders.map(() => []);
    for (let round = 0; round < warmUps + upgradeSize.rounds; round++) {
      for (const [index, times] of taken.entries()) {
        const ms = await tab.evaluate(upgrade, [index, upgradeSize.elements, round] as const);
        if (round >= warmUps) times.push(ms);
      }
    }
    return contenders.map(([name], index) => ({
      name,
      ms: median(taken[index] ?? []),
      ratio: median(
        (taken[index] ?? []).map((ms, round) => ms / (taken[lookAlike]?.[round] ?? Number.NaN)),
      ),
    }));
  });
}
