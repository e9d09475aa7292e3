import { isIP } from 'node:net';
import { clientOf } from '../../../packages/server-helper/src/edges/client-address.ts';
import { must, type Target } from '../target.ts';

const LOOPBACK = /^(?:\[?[0:]*:0*1|127\.|\[?[0:]+:(?:ffff:)(?:127\.|0*7f))/i;

/** `clientOf`: the address that limits count, which a header may have named. */
export const clientAddresses: Target = {
  name: 'client-addresses',
  about:
    'the client of an address: one for all its spellings and ports; null for this machine alone',
  seeds: [
    '203.0.113.9',
    '203.0.113.9:4711',
    '2001:db8:1:2:3:4:5:6',
    '[2001:db8::1]:443',
    '::ffff:203.0.113.9',
    '::ffff:7f00:1',
    'fe80::1%eth0',
    '::1',
    '"unknown:_443"',
    '203.0.113.9, 198.51.100.2',
  ],
  words: [
    '::',
    ':',
    '.',
    '[',
    ']',
    '%',
    '127.0.0.1',
    '::1',
    ':4711',
    '::ffff:',
    'unknown',
    '0',
    '"',
  ],
  check: (text) => {
    const client = clientOf(text);
    if (client === null) {
      const plain = text.slice(0, 64).trim().replaceAll('"', '');
      must(LOOPBACK.test(plain), 'only this machine has no client');
      return;
    }
    must(client !== '' && client.length <= 64, 'a client has a name of 64 characters at most');
    if (isIP(client) === 4) must(clientOf(client) === client, 'the client of a client is the same');
    if (text.length > 50) return;
    const other = text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
    must(clientOf(other) === client, 'letter case makes no other client');
    must(clientOf(` ${text} `) === client, 'spaces around an address make no other client');
    if (isIP(text) === 4) must(clientOf(`${text}:4711`) === client, 'a port makes no other client');
    if (isIP(text) === 6)
      must(clientOf(`[${text}]:4711`) === client, 'a port makes no other client');
  },
};
