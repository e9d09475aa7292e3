import { expect, test } from 'vitest';
import { HostileClient, spellings } from '../../../../contract/hostile-requests.ts';
import { ControlDocument } from '../testing/control-document.ts';
import { startForTest } from '../testing/sandbox-for-test.ts';

const pages = ['GET ', 'GET /fidelity', 'POST /clock', 'POST /profile', 'POST /faults'];
const calls = [
  ...new ControlDocument().operations().map((call) => call.replace(' ', ' /_sandbox/v1')),
  ...[...pages, 'POST /deliveries'].map((call) => call.replace(' ', ' /_sandbox')),
].map((call) => call.replace(/:\w+/, 'default').split(' ') as [string, string]);

test.each(Object.entries(spellings))(
  'without the token no control route is served that is spelled %s',
  async (_how, spell) => {
    const { port, apiKey } = await startForTest({ host: '0.0.0.0' });
    const client = new HostileClient(port);
    const headers = { host: `192.0.2.7:${port}` };
    for (const [method, path] of calls) {
      for (const used of new Set([method, 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])) {
        const address = spell(path);
        const asked = { method: used, path: address, headers, body: '' };
        const { status, text } = await client.send(asked);
        expect([used, address, [401, 404].includes(status) || status]).toEqual([
          used,
          address,
          true,
        ]);
        expect(text).not.toContain(apiKey);
      }
    }
    client.close();
  },
);
