import { request } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ControlDocument } from '../testing/control-document.ts';
import { startForTest } from '../testing/sandbox-for-test.ts';

/** Ways to write a path that a router may take for the same one. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  'as it is': (path) => path,
  'in capitals': (path) => path.toUpperCase(),
  'in mixed case': (path) =>
    path.replaceAll(/[a-z]/g, (letter, at: number) =>
      at % 2 === 0 ? letter.toUpperCase() : letter,
    ),
  'with its prefix alone in capitals': (path) => path.replace('/_sandbox', '/_SANDBOX'),
  'with its version alone in capitals': (path) => path.replace('/v1', '/V1'),
  'percent-encoded': (path) =>
    path.replaceAll(/[a-z_]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'with one letter percent-encoded': (path) => path.replace('s', '%73'),
  'with one letter percent-encoded twice': (path) => path.replace('s', '%2573'),
  'with encoded slashes': (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  'with double slashes': (path) => path.replaceAll('/', '//'),
  'with two slashes in front': (path) => `/${path}`,
  'with a slash behind': (path) => `${path}/`,
  'with a dot in front': (path) => `/.${path}`,
  'behind a way back': (path) => `/assets/..${path}`,
  'with backslashes': (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  'with a parameter': (path) => path.replace('/_sandbox', '/_sandbox;x=1'),
  'in capitals, as a whole address': (path) => `http://192.0.2.7${path.toUpperCase()}`,
  'with the tenant in the query': (path) => `${path.toUpperCase()}?tenant=default`,
};

const pages = ['GET ', 'GET /fidelity', 'POST /clock', 'POST /profile', 'POST /faults'];
const calls = [
  ...new ControlDocument().operations().map((call) => call.replace(' ', ' /_sandbox/v1')),
  ...[...pages, 'POST /deliveries'].map((call) => call.replace(' ', ' /_sandbox')),
].map((call) => call.replace(/:\w+/, 'default').split(' ') as [string, string]);

test.each(Object.entries(spellings))(
  'without the token no control route is served that is spelled %s',
  async (_how, spell) => {
    const { port, apiKey } = await startForTest({ host: '0.0.0.0' });
    for (const [method, path] of calls) {
      for (const used of new Set([method, 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])) {
        const address = spell(path);
        const { status, text } = await ask(port, used, address);
        expect([used, address, [401, 404].includes(status) || status]).toEqual([
          used,
          address,
          true,
        ]);
        expect(text).not.toContain(apiKey);
      }
    }
  },
);

/** Sends the path as it is written, which `fetch` would tidy up. */
function ask(
  port: number,
  method: string,
  path: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: `192.0.2.7:${port}` };
    request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    })
      .once('error', reject)
      .once('upgrade', (_answer, socket: Socket) => socket.destroy())
      .end();
  });
}
