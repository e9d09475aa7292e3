import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import { afterAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import './index.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

const { reuse } = useBrowser({}, startShoppersBrowser);
const [shop, hydrating] = await Promise.all([startShop(), bundleHydrating()]);
afterAll(() => shop.close());

/** A merchant's own bundle: Lit's hydration first, then the package. */
async function bundleHydrating(): Promise<string> {
  const index = fileURLToPath(new URL('index.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@pay-button/source', 'module', 'browser'] },
    plugins: [
      {
        name: 'merchant',
        resolveId: (id) => (id === 'merchant' ? '\0merchant' : null),
        load: (id) =>
          id === '\0merchant'
            ? `import '@lit-labs/ssr-client/lit-element-hydrate-support.js';
               import ${JSON.stringify(index)};`
            : null,
      },
    ],
    build: { write: false, rolldownOptions: { input: 'merchant' } },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('Vite gave no output.');
  return result.output[0].code;
}

const served = (inside: unknown): Promise<string> =>
  collectResult(
    render(
      html`<pay-button endpoint="/checkout" order-id="1" amount="115.00" locale="ar"
          >${inside}</pay-button
        ><pay-status src="/status" locale="ar"></pay-status>`,
    ),
  );

const form = html`<form slot="form" method="post" action="/checkout"><button>Form</button></form>`;

describe('the elements rendered by a server', () => {
  it('come with their texts, in declarative shadow roots', async () => {
    const text = await served('');
    expect(text).toContain('<template shadowroot="open" shadowrootmode="open"');
    expect(text).toContain('ادفع');
    expect(text).toContain('جارٍ تأكيد عملية الدفع');
  });

  it('show the form until a script comes', async () => {
    const { page: tab } = await reuse({ javaScriptEnabled: false });
    await tab.goto(shop.page(await served(form)));
    await tab.getByRole('button', { name: 'Form' }).click();
    await tab.waitForURL('**/after-form');
  });

  const builtFiles = '<script type="module" src="/pay-button.js"></script>';
  it.for([
    ['hydrated by a bundle', (): string => `<script type="module">${hydrating}</script>`],
    ['taken over by the built files', (): string => builtFiles],
  ] as const)('work once %s, with one button', async ([, script]) => {
    const { page: tab, complaints } = await reuse();
    await tab.goto(shop.page((await served(form)) + script()));
    const button = tab.locator('pay-button').getByRole('button');
    const pay = expect.stringMatching(/^\s*ادفع\s+115/) as string;
    await expect.poll(() => button.allInnerTexts()).toEqual([pay]);
    const pressAt = async (place: string) => {
      await tab.evaluate((at) => void (document.querySelector('pay-button')!.endpoint = at), place);
      await button.click();
    };
    await pressAt('/refuse');
    await tab.getByText('هذا الطلب مدفوع مسبقًا.').waitFor();
    await pressAt('/checkout');
    await tab.waitForURL(shop.gatewayUrl);
    // The browser itself reports the refused checkout.
    expect(complaints.filter((one) => !one.includes('409 (Conflict)'))).toEqual([]);
  });
});
