import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readDocument } from '../check/markdown.ts';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import { freePort, root, startProgram } from '../process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

it.each(['README.md', 'docs/quick-start.md', 'examples/express/server.ts'])(
  'the shop of %s says that an order is paid once it is, and not before',
  async (file) => {
    const folder = mkdtempSync(join(tmpdir(), 'pay-shown-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'public'));
    const port = String(await freePort());
    const text = readFileSync(join(root, file), 'utf8');
    const blocks = file.endsWith('.md') ? readDocument(text).blocks : [{ code: text }];
    const page = blocks.find(({ code }) => code.includes('/pay/pay-button.js'))?.code ?? '';
    writeFileSync(join(folder, 'public/index.html'), page);
    const shop = blocks.find(({ code }) => code.includes('app.listen('))?.code ?? '';
    // The README's shop says nothing once it listens.
    const code = `${shop.replaceAll('3000', port)}\nsetImmediate(console.log, 'ready ');`;
    writeFileSync(join(folder, 'shop.mts'), code);
    const url = `http://127.0.0.1:${port}`;
    const env = {
      GATEWAY_ENVIRONMENT: 'staging',
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_API_KEY: sandbox.apiKey,
      DATABASE_URL: 'sqlite:payments.db',
      PAY_TOKEN_SECRET: crypto.randomUUID(),
      PORT: port,
      PUBLIC_URL: url,
    };
    const program = ['--conditions=@pay-button/source', 'shop.mts'];
    const { stop } = await startProgram(program, { cwd: folder, env });
    onTestFinished(stop);
    expect(await payAsShopper(url)).toMatch(/\/1001$/);
  },
);
