import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNpm } from '../../../scripts/process.ts';

/** The packed package, as a merchant gets it: installed without a network in an empty project. */
const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** The dependencies of the package, packed from here, so that npm needs no registry. */
const scoped = ['@lit/reactive-element', '@lit-labs/ssr-dom-shim', '@types/trusted-types'];
const needed = ['lit', 'lit-html', 'lit-element', ...scoped];
const frameworks = ['@types/react', 'csstype', 'vue', 'svelte', 'solid-js', 'preact'];

let project = '';
let installed = '';

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'pay-button-merchant-'));
  const folders = [packageRoot, ...needed.map((name) => join(modules, name))];
  const pack = ['pack', '--silent', '--ignore-scripts', ...folders];
  const packed = (await runNpm(pack, { cwd: project })).trim().split('\n');
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const tarballs = packed.map((name) => `./${name}`);
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runNpm([...install, ...tarballs], { cwd: project });
  installed = join(project, 'node_modules/@pay-button/widget');
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the packed package in an empty project', () => {
  it('imports in Node by every entry, and registers nothing there', () => {
    const program = `
      const [all, button, status] = await Promise.all([
        import('@pay-button/widget'),
        import('@pay-button/widget/pay-button'),
        import('@pay-button/widget/pay-status'),
      ]);
      console.log(all.PayButton === button.PayButton && all.PayStatus === status.PayStatus);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe('true');
  });

  it('bundles in Vite with what Lit weighs and little more', async () => {
    await writeFile(join(project, 'main.js'), "import '@pay-button/widget';\n");
    const page = '<script type="module" src="/main.js"></script>';
    await writeFile(join(project, 'index.html'), page);
    const vite = join(modules, 'vite/bin/vite.js');
    execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
      cwd: project,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const [name = '', ...more] = await readdir(join(project, 'dist/assets'));
    expect(more).toEqual([]);
    const bytes = brotliCompressSync(await readFile(join(project, 'dist/assets', name))).length;
    expect(bytes).toBeGreaterThan(9_000);
    expect(bytes).toBeLessThan(14_460);
  });

  it('has every file that its manifest and its integrity list name', async () => {
    const require = createRequire(join(project, 'main.js'));
    const read = async (name: string) =>
      JSON.parse(await readFile(require.resolve(name), 'utf8')) as unknown;
    const manifest = (await read('@pay-button/widget/package.json')) as Record<string, string> & {
      version: string;
      exports: object;
    };
    for (const entry of Object.keys(manifest.exports)) {
      const file = require.resolve(join('@pay-button/widget', entry));
      expect((await readFile(file)).length, entry).toBeGreaterThan(0);
    }
    for (const field of ['customElements', 'web-types']) {
      const content = await readFile(join(installed, manifest[field] ?? field), 'utf8');
      expect(content, field).toContain('pay-button');
    }
    const integrity = (await read('@pay-button/widget/dist/integrity.json')) as Readonly<
      Record<string, { file: string; integrity: string }>
    >;
    const elements = ['pay-button', 'pay-status', 'pay-elements'];
    const names = [...elements.map((name) => `${name}-${manifest.version}`), 'console-advice'];
    const files = Object.values(integrity).map(({ file }) => file);
    expect(files).toEqual(names.map((name) => `${name}.js`));
    for (const [name, { file, integrity: expected }] of Object.entries(integrity)) {
      for (const path of [name, file]) {
        const code = await readFile(join(installed, 'dist', path));
        expect(`sha384-${createHash('sha384').update(code).digest('base64')}`, path).toBe(expected);
      }
    }
  });

  it('types plain TypeScript, React 19, Preact, Solid, Svelte 5 and Vue 3', async () => {
    for (const name of frameworks) {
      const place = join(project, 'node_modules', name.replace('@types/react', 'react'));
      await symlink(join(modules, name), place);
    }
    const samples = join(project, 'samples');
    await mkdir(samples);
    await writeFile(join(samples, 'plain.ts'), plain);
    await writeFile(join(samples, 'svelte.ts'), svelte);
    await writeFile(join(samples, 'vue-template.ts'), vueTemplate);
    for (const spelling of jsx) {
      await writeFile(join(samples, `${spelling[0]}.tsx`), jsxSample(spelling));
    }
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'nodenext',
      jsx: 'preserve',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    await writeFile(join(samples, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const require = createRequire(import.meta.url);
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const compile = () =>
      execFileSync(process.execPath, [tsc, '-p', samples], { encoding: 'utf8' });
    expect(compile()).toBe('');
  });
});

const plain = `
import '@pay-button/widget';

const element = document.createElement('pay-button');
element.orderId = '1001';
element.data = { note: 'gift' };
element.addEventListener('pay-start', (event) => event.waitUntil(Promise.resolve()));
element.addEventListener('pay-error', ({ code, outcome }) => location.assign(code + outcome));
// @ts-expect-error: there is no such target
element.target = 'blank';

const outcome = await element.pay();
if (outcome.outcome !== 'redirected') location.assign(outcome.code + outcome.retryable);

document.querySelector('pay-status')?.addEventListener('pay-settled', ({ state }) => {
  location.assign(state);
});
`;

/** How each framework's JSX writes a property and a listener. */
const jsx = [
  ['react', 'react', 'data', 'onpay-error', 'onpay-settled'],
  ['preact', 'preact', 'data', 'onpay-error', 'onpay-settled'],
  ['solid', 'solid-js', 'prop:data', 'on:pay-error', 'on:pay-settled'],
  ['vue', 'vue', 'data', 'onPayError', 'onPaySettled'],
] as const;

const jsxSample = ([name, source, data, onError, onSettled]: (typeof jsx)[number]) => `
/** @jsxImportSource ${source} */
import '@pay-button/widget/${name}';

export const checkout = <section>
  <pay-button endpoint="/pay/checkout" order-id="1001" amount="115.00" variant="outline"
    methods="mada visa" ${data}={{ note: 'gift' }}
    ${onError}={({ code, retryable }) => location.assign(code + retryable)}>Pay now</pay-button>
  <pay-status src="/pay/status/token" ${onSettled}={({ state }) => location.assign(state)} />
</section>;
// @ts-expect-error: there is no such variant
export const wrong = <pay-button endpoint="/pay/checkout" order-id="1001" variant="loud" />;
`;

/** What Svelte's language tools accept in a template. */
const svelte = `
import '@pay-button/widget/svelte';
import type { SvelteHTMLElements } from 'svelte/elements';

export const button: SvelteHTMLElements['pay-button'] = {
  endpoint: '/pay/checkout',
  'order-id': '1001',
  data: { note: 'gift' },
  'onpay-error': ({ code, retryable }) => location.assign(code + retryable),
};
// @ts-expect-error: there is no such variant
export const wrong: SvelteHTMLElements['pay-button'] = { variant: 'loud' };
export const status: SvelteHTMLElements['pay-status'] = {
  src: '/pay/status/token',
  'onpay-settled': ({ state }) => location.assign(state),
};
`;

/** What Vue's language tools accept in a template. */
const vueTemplate = `
import '@pay-button/widget/vue';
import type { GlobalComponents } from 'vue';

type Props = InstanceType<GlobalComponents['pay-button']>['$props'];
export const right: Props = { endpoint: '/pay/checkout', orderId: '1001' };
// @ts-expect-error: there is no such size
export const wrong: Props = { size: 'huge' };
`;
