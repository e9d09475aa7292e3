import { parseRedirect, refusalOf } from '../../../packages/widget/src/redirect.ts';
import { must, type Target } from '../target.ts';

const HERE = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const allowed = 'https://checkout.gateway.example http://127.0.0.1:4010';

/** `parseRedirect`: the address to which the button sends the browser. */
export const redirects: Target = {
  name: 'redirects',
  about: 'the address of the hosted page: plain https, of a named origin; a refusal names no path',
  seeds: [
    'https://checkout.gateway.example/pay?sessionId=6a9f1f0e-1111-4111-8111-111111111111',
    'http://127.0.0.1:4010/checkout?sessionId=1#form',
    'https://checkout.gateway.example:443/',
    'https://user:secret@checkout.gateway.example/',
    'http://[::1]:4010/checkout',
    'javascript:alert(1)',
  ],
  words: [
    'https://',
    'http://',
    'javascript:',
    '//',
    '\\',
    '@',
    '#',
    '?',
    '\t',
    '\n',
    '%2F',
    '%00',
    ':443',
    '.',
    '..',
    '[::1]',
    'localhost',
    '127.1',
    '0x7f.1',
    'xn--',
    '。',
    '\u202E',
    'checkout.gateway.example',
  ],
  check: (text) => {
    const url = parseRedirect(text);
    if (url !== undefined) {
      must(['https:', 'http:'].includes(url.protocol), 'it is http or https');
      must(url.protocol === 'https:' || HERE.test(url.hostname), 'http goes to this machine alone');
      must(url.username === '' && url.password === '', 'it holds no credentials');
      must(/^[!-~]+$/.test(url.href), 'it is plain ASCII');
      must(parseRedirect(url.href)?.href === url.href, 'it is read again as the same');
      const written = /^\w+:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
      must(!/[@\\\s%]/.test(written), 'its host is written plainly');
    }
    const named = parseRedirect(text, allowed);
    must(named === undefined || allowed.split(' ').includes(named.origin), 'its origin is named');
    must(parseRedirect(text, '') === undefined, 'an empty list allows nothing');
    must(parseRedirect([text]) === undefined, 'only a text is an address');
    const secret = `${text}/S3cr3tS3cr3t`;
    must(!refusalOf(secret, null).includes('/S3cr3tS3cr3t'), 'a refusal names no path');
  },
};
